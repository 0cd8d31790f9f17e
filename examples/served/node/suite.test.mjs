// Ten tests of a TPP's client against a served bank.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Bank } from './bank.mjs'
import { Tpp } from './tpp.mjs'

const INSTANT = '/v1/payments/instant-norwegian-domestic-credit-transfers-straks'
const BATCHED = '/v1/payments/norwegian-domestic-credit-transfers'
const PAYER = '95360573002'
const CUSTOMER = '13039319955'
const PAYMENT = {
  instructedAmount: { amount: '250.00', currency: 'NOK' },
  creditorName: 'Testine Test',
  creditorAccount: { bban: '95360573037', currency: 'NOK' },
  creditorAddress: { townName: 'Oslo', country: 'NO' },
  debtorAccount: { bban: PAYER, currency: 'NOK' },
}

let bank, tpp

before(async () => {
  bank = await Bank.start()
  tpp = await Tpp.register(bank, 'Acme Pay')
  await bank.keep()
})
after(() => bank?.stop())
beforeEach(() => bank.reset())

/** Creates a payment that the PSU approves; returns its path and id. */
async function approvedPayment(product) {
  const created = await tpp.call('POST', product, { body: PAYMENT })
  assert.equal(created.status, 201, JSON.stringify(created.json))
  await bank.authorise(created.json._links.scaRedirect.href)
  return { id: created.json.paymentId, path: `${product}/${created.json.paymentId}` }
}

async function statusOf(payment) {
  return (await tpp.call('GET', `${payment.path}/status`)).json.transactionStatus
}

/** The PSU opens every account; returns the PSU-ID. */
async function consent() {
  const asked = await tpp.call('POST', '/v1/bank-offered-consents')
  return (await bank.authorise(asked.json._links.scaRedirect.href)).get('psu-id')
}

test('accounts are read after SCA', async () => {
  const psuId = await consent()
  const answer = await tpp.call('GET', '/v1/accounts', { psuId })
  assert.equal(answer.status, 200)
  assert.equal(answer.json.accounts[0].bban, PAYER)
})

test('payment is settled by the next batch', async () => {
  const payment = await approvedPayment(BATCHED)
  assert.equal(await statusOf(payment), 'PDNG')
  await bank.control('POST', '/clock', { to: 'next-event' })
  assert.equal(await statusOf(payment), 'ACSC')
  assert.equal(await bank.balance(PAYER), '99750.00')
})

test('refusal names the mistake of the client', async () => {
  const answer = await tpp.call('GET', '/v1/accounts', { spoil: (text) => `${text}\n` })
  assert.equal(answer.status, 400)
  const [entry] = await bank.control('GET', '/journal?last=1')
  const explanation = await bank.control('GET', `/journal/${entry.number}/explanation`)
  assert.equal(explanation.mistake, 'trailing-newline')
})

test('fault fails one call', async () => {
  const psuId = await consent()
  await bank.control('POST', '/faults', { code: 'SYSTEM_ERROR', operation: 'getAccounts', times: 1 })
  assert.equal((await tpp.call('GET', '/v1/accounts', { psuId })).status, 500)
  assert.equal((await tpp.call('GET', '/v1/accounts', { psuId })).status, 200)
})

test('restored snapshot undoes a payment', async () => {
  const { id } = await bank.control('POST', '/snapshots')
  const payment = await approvedPayment(INSTANT)
  assert.equal(await bank.balance(PAYER), '99750.00')
  await bank.control('POST', `/snapshots/${id}/restore`)
  assert.equal(await bank.balance(PAYER), '100000.00')
  assert.equal((await tpp.call('GET', `${payment.path}/status`)).status, 404)
})

test('revoked consent ends access', async () => {
  const psuId = await consent()
  const revoked = { customerNumber: CUSTOMER, tpp: tpp.organisationId }
  await bank.control('POST', '/consents/revoke', revoked)
  assert.equal((await tpp.call('GET', '/v1/accounts', { psuId })).status, 403)
})

test('payment on hold waits for its release', async () => {
  const payment = await approvedPayment(BATCHED)
  await bank.control('POST', '/hold', { paymentId: payment.id, why: 'a question of the bank' })
  await bank.control('POST', '/clock', { advance: 'P7D' })
  assert.equal(await statusOf(payment), 'PDNG')
  await bank.control('POST', '/release', { paymentId: payment.id })
  await bank.control('POST', '/clock', { advance: 'P3D' })
  assert.equal(await statusOf(payment), 'ACSC')
})

test('populated customer has a ledger', async () => {
  const made = await bank.control('POST', '/populate', { persons: 1, companies: 0, months: 2 })
  const [account] = made.customers[0].accounts
  const ledger = await bank.control('GET', `/ledger/${account.bban}`)
  assert.equal(ledger.balance.amount, account.balance)
  assert.ok(ledger.bookings.length > 0)
})

test('coverage counts the calls', async () => {
  const calls = async () => {
    const { operations } = await bank.control('GET', '/coverage')
    return operations.rows.find((row) => row.name === 'getPaymentStatus').calls
  }
  const payment = await approvedPayment(INSTANT)
  const earlier = await calls()
  await statusOf(payment)
  assert.equal(await calls(), earlier + 1)
})

test('edited state is put back', async () => {
  const state = await bank.control('GET', '/state')
  state.accounts.find((account) => account.bban === PAYER).name = 'Studentkonto'
  await bank.control('PUT', '/state', state)
  const psuId = await consent()
  assert.equal((await tpp.call('GET', '/v1/accounts', { psuId })).json.accounts[0].name, 'Studentkonto')
})
