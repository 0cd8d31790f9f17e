// Signs with http-signature, http-signature-header and the crypto module of Node.js as their users do, and as they
// err. Prints lines of id, field, value.
'use strict';
const crypto = require('crypto');
const fs = require('fs');
const http = require('http');
const path = require('path');
const httpSignature = require('http-signature');
const signatureHeader = require('http-signature-header');

const folder = process.argv[2];
const read = (name) => fs.readFileSync(path.join(folder, name), 'utf8');
const key = read('seal.key');
const keyId = read('key-id');
const NAMES = ['date', 'digest', 'x-request-id', 'psu-id', 'tpp-redirect-uri'];
const calls = (call) => {
  const request = JSON.parse(read(`${call}.json`));
  return { ...request, fields: Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value])) };
};
const show = (id, name, value) => console.log(`${id}\t${name}\t${value}`);
const written = (names, signature) =>
  `keyId="${keyId}",algorithm="rsa-sha256",headers="${names.join(' ')}",signature="${signature}"`;
const text = (request, names) => names.map((name) => `${name}: ${request.fields[name]}`).join('\n');
const present = (request) => NAMES.filter((name) => name in request.fields);

function signRequest(id, call) {
  const sent = calls(call);
  const request = http.request({ host: '127.0.0.1', port: 9, method: sent.method, path: sent.target });
  request.on('error', () => {});
  for (const [name, value] of sent.headers) request.setHeader(name, value);
  httpSignature.sign(request, { key, keyId, algorithm: 'rsa-sha256', headers: ['(request-target)', ...present(sent)] });
  show(id, 'Signature', request.getHeader('Authorization'));
  request.destroy();
}

function createSigner(id, call) {
  const sent = calls(call);
  const signer = httpSignature.createSigner({ key, keyId, algorithm: 'rsa-sha256' });
  for (const name of present(sent)) signer.writeHeader(name, sent.fields[name]);
  signer.sign((error, value) => show(id, 'Signature', value));
}

function header(id, call, url, order) {
  const sent = calls(call);
  const names = ['(request-target)', ...present(sent)];
  const requestOptions = { method: sent.method, url, headers: sent.fields };
  const signed = signatureHeader.createSignatureString({ includeHeaders: order || names, requestOptions });
  show(id, 'Signature', written(names, crypto.sign('sha256', signed, key).toString('base64')));
}

function bare(id, call, sign) {
  const sent = calls(call);
  const names = present(sent);
  show(id, 'Signature', written(names, sign(Buffer.from(text(sent, names)))));
}

const sha256 = (data) => crypto.createHash('sha256').update(data).digest();
signRequest('node-right', 'payment');
createSigner('node-create-signer', 'payment');
createSigner('node-create-signer-of-a-get', 'accounts');
header('node-pathname', 'accounts', '/v1/accounts');
header('node-other-order', 'payment', calls('payment').target,
  ['digest', 'date', 'psu-id', 'tpp-redirect-uri', 'x-request-id', '(request-target)']);
bare('node-sign-of-a-hash', 'accounts', (data) => crypto.sign('sha256', sha256(data), key).toString('base64'));
bare('node-private-encrypt', 'payment', (data) => crypto.privateEncrypt(key, sha256(data)).toString('base64'));
bare('node-base64url', 'accounts', (data) => crypto.sign('sha256', data, key).toString('base64url'));
bare('node-hex', 'payment', (data) => crypto.sign('sha256', data, key).toString('hex'));
bare('node-pss', 'accounts', (data) =>
  crypto.sign('sha256', data, { key, padding: crypto.constants.RSA_PKCS1_PSS_PADDING }).toString('base64'));
bare('node-sha512', 'accounts', (data) => crypto.sign('sha512', data, key).toString('base64'));

function digest(id, data) {
  const sent = calls('payment');
  sent.fields.digest = `SHA-256=${data(Buffer.from(sent.body, 'base64').toString())}`;
  show(id, 'Digest', sent.fields.digest);
  show(id, 'Signature', written(NAMES, crypto.sign('sha256', Buffer.from(text(sent, NAMES)), key).toString('base64')));
}

digest('node-digest-in-latin-1', (body) => crypto.createHash('sha256').update(body, 'latin1').digest('base64'));
digest('node-digest-in-hex', (body) => crypto.createHash('sha256').update(body).digest('hex'));
digest('node-digest-of-indented-json', (body) =>
  sha256(JSON.stringify(JSON.parse(body), null, 2)).toString('base64'));
