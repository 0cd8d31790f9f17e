// A TPP: signs its requests with node:crypto and sends them to the bank.

import { X509Certificate, createHash, randomUUID, sign } from 'node:crypto'

const MUST_BE_SIGNED = ['date', 'digest', 'x-request-id', 'psu-id', 'tpp-redirect-uri']

export class Tpp {
  /** Registers a TPP; the bank's test PKI makes its certificate and key. */
  static async register(bank, name) {
    const tpp = new Tpp()
    tpp.bank = bank
    Object.assign(tpp, await bank.control('POST', '/tpps', { name, roles: ['AISP', 'PISP'] }))
    return tpp
  }

  /** Sends a signed request. `psuId` names the PSU; `spoil` changes the text that is signed. */
  async call(method, target, { body, psuId, spoil = (text) => text } = {}) {
    const headers = {
      'x-accept-fix': '',
      'tpp-session-id': 'session-1',
      'tpp-redirect-uri': 'https://tpp.example/callback?state=42',
      'psu-context': 'PRIVATE',
      'psu-ip-address': '192.0.2.1',
      'date': (await this.bank.now()).toUTCString(),
      'x-request-id': randomUUID(),
    }
    if (psuId !== undefined) headers['psu-id'] = psuId
    const bytes = body === undefined ? undefined : JSON.stringify(body)
    if (bytes !== undefined) {
      headers['content-type'] = 'application/json'
      headers['digest'] = `SHA-256=${createHash('sha256').update(bytes).digest('base64')}`
    }
    Object.assign(headers, this.signature(headers, spoil))
    const answer = await fetch(this.bank.url + target, { method, headers, body: bytes })
    return { status: answer.status, json: await answer.json() }
  }

  /** The two headers that a signed request has more. */
  signature(headers, spoil) {
    const names = MUST_BE_SIGNED.filter((name) => name in headers)
    const text = names.map((name) => `${name}: ${headers[name]}`).join('\n')
    const signature = sign('sha256', Buffer.from(spoil(text)), this.privateKeyPem).toString('base64')
    const certificate = new X509Certificate(this.certificatePem)
    const issuer = certificate.issuer.split('\n').reverse().join(',') // RFC 2253: the country is last
    return {
      'tpp-signature-certificate': certificate.raw.toString('base64'),
      'signature':
        `keyId="SN=${certificate.serialNumber},CA=${issuer}",algorithm="rsa-sha256",` +
        `headers="${names.join(' ')}",signature="${signature}"`,
    }
  }
}
