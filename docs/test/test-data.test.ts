import { type RunningSandbox, serve } from '@partner-payments/sandbox'
import { testData, testDataLines } from '@partner-payments/sandbox/test-data'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inline } from '../build/contract.ts'
import { testDataPage } from '../build/test-data-page.ts'
import { behaviour, whole } from './site.ts'

const { text: page } = testDataPage(inline(whole), behaviour)
const { partners, users, keys, accounts, lookUps, rejections, faultHeaders } = testData()

let sandbox: RunningSandbox
let token: string
beforeAll(async () => {
  sandbox = await serve({ port: 0, allowLoopback: true })
  token = (await signIn(partners[0])).access_token
})
afterAll(() => sandbox?.close())

describe('the page of the test data', () => {
  it.each(partners)('has credentials that sign in: $client_key', async (partner) => {
    expect(page).toContain(`| \`${partner.client_key}\` | \`${partner.client_secret}\` |`)
    expect((await signIn(partner)).access_token).toBeTruthy()
  })

  it.each(keys)('has the key $dict_key, whose look-up shows its owner', async (key) => {
    expect(page).toContain(`| \`${key.dict_key}\` | ${key.kind} | ${key.name} |`)
    const { status, body } = await post('/mobile-bff/v1/pix/dict/check/', {
      dict_key: key.dict_key,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ dict_key_type: key.kind, owner_name: key.name })
  })

  it.each(lookUps)('has the key $dict_key, whose look-up returns $status', async (key) => {
    expect(page).toContain(`| \`${key.dict_key}\` | \`${key.status}\` |`)
    const response = await post('/mobile-bff/v1/pix/dict/check/', { dict_key: key.dict_key })
    expect(response).toMatchObject({ status: key.status, body: { code: key.code } })
  })

  it.each(lookUps)('has the key $dict_key, which nobody can add', async ({ dict_key }) => {
    const entry = { dict_key, name: 'Fulano de Tal', tax_id: '12345678909' }
    expect(await post('/_sandbox/keys', entry)).toMatchObject({
      status: 422,
      body: { code: 'invalid_key' },
    })
  })

  it.each(rejections.amounts)('has the amount $amount, and its key', ({ amount, code }) => {
    const key = rejections.keys.find((candidate) => candidate.code === code)
    expect(page).toContain(`| \`${amount}\` | \`${key?.dict_key}\` | \`${code}\` |`)
  })

  it('has the users, the balances and the headers', () => {
    expect(Math.min(users.length, accounts.length, faultHeaders.length)).toBeGreaterThan(0)
    for (const { id, customer } of users)
      expect(page).toContain(`| \`${id}\` | \`${customer.id}\` |`)
    for (const { name, balance } of accounts)
      expect(page).toMatch(new RegExp(`\\| ${name} \\|.*\\| ${balance} \\|`))
    for (const form of faultHeaders) expect(page).toContain(`x-sandbox-fault: ${form}`)
  })
})

it('is printed in short when the sandbox and dev start', () => {
  const lines = testDataLines()
  for (const { dict_key } of [...keys, ...lookUps]) expect(lines).toContain(dict_key)
  expect(lines).toContain('partner:secret   other:secret')
  expect(lines).toContain(
    `${rejections.amounts[0]?.amount} to ${rejections.amounts.at(-1)?.amount}`,
  )
})

async function signIn(partner: { client_key: string; client_secret: string }) {
  const { client_key, client_secret } = partner
  const response = await fetch(`${sandbox.url}/mobile-bff/v1/auth/partner/token/`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client_key}:${client_secret}`)}` },
  })
  return (await response.json()) as { access_token: string }
}

async function post(path: string, body: object) {
  const response = await fetch(sandbox.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
