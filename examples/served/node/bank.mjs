// A bank for a suite of tests: the process `xs2a serve`, steered by its control interface.

import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export class Bank {
  #process
  #ended
  #folder
  #snapshot

  /** Starts a bank whose clock does not move by itself, on free ports. */
  static async start() {
    const bank = new Bank()
    bank.#folder = await mkdtemp(join(tmpdir(), 'xs2a-'))
    const readyFile = join(bank.#folder, 'bank.ready')
    const options = ['--port', '0', '--control-port', '0', '--ready-file', readyFile]
    const fixed = ['--now', '2026-09-01T10:00:00Z', '--seed', '1']
    const streams = ['ignore', 'ignore', 'inherit']
    bank.#process = spawn('xs2a', ['serve', ...options, ...fixed, '--quiet'], { stdio: streams })
    bank.#ended = new Promise((resolve) => {
      bank.#process.on('exit', resolve)
      bank.#process.on('error', resolve)
    })
    try {
      ;[bank.url, bank.controlUrl] = (await bank.#ready(readyFile)).trim().split('\n')
    } catch (error) {
      await bank.stop()
      throw error
    }
    return bank
  }

  async #ready(readyFile) {
    let ended = false
    this.#ended.then((result) => { ended = result ?? true })
    for (let tries = 0; tries < 600 && ended === false; tries++) {
      try {
        return await readFile(readyFile, 'utf8')
      } catch {
        await pause(100)
      }
    }
    if (ended !== false) throw new Error(`xs2a ended: ${ended}`)
    throw new Error('the bank is not ready after 60 seconds')
  }

  async stop() {
    this.#process.kill()
    await this.#ended
    await rm(this.#folder, { recursive: true })
  }

  /** Calls the control interface; returns what it answers. */
  async control(method, path, body) {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const answer = await fetch(this.controlUrl + path, { method, headers, body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  /** What `reset` restores. */
  async keep() {
    this.#snapshot = (await this.control('POST', '/snapshots')).id
  }

  /** The bank as it was at `keep`. Snapshots contain no faults. */
  async reset() {
    await this.control('POST', `/snapshots/${this.#snapshot}/restore`)
    await this.control('DELETE', '/faults')
  }

  async now() {
    return new Date((await this.control('GET', '/clock')).now)
  }

  /** Does what the PSU does at the bank's site; returns the parameters of the callback. */
  async authorise(scaRedirect) {
    const { callback } = await this.control('POST', '/authorise', { scaRedirect })
    return new URL(callback).searchParams
  }

  async balance(bban) {
    return (await this.control('GET', `/ledger/${bban}`)).balance.amount
  }
}
