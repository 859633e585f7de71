import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import { expect, onTestFinished, test } from 'vitest'
import { check } from '../src/check.ts'
import { startService } from './sandbox-proxy.ts'

const credentials = { clientKey: 'partner', clientSecret: 'secret' }

async function service() {
  const started = await startService()
  onTestFinished(() => started.close())
  return started
}

test('gives every open question of our contract a verdict and its text', async () => {
  const { url } = await service()
  const { verdicts } = await check({
    url,
    target: 'sandbox',
    credentials,
    only: ['example-accepted'],
    operations: ['checkKey'],
  })
  expect(verdicts).toHaveLength(Object.keys(questions).length)
  expect(verdicts.filter(({ text, assumption }) => text === '' || assumption === '')).toEqual([])
  expect(verdicts.find(({ question }) => question === 'key-kinds')?.verdict).toBe('confirmed')
})

test('needs no credentials for a copy of the contract without a sign-in', async () => {
  const { url } = await service()
  const responses = { 200: { description: 'Fine' }, 401: { description: 'No' } }
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Other', version: '1' },
    paths: { '/mobile-bff/v1/partner/user': { get: { operationId: 'users', responses } } },
  }
  const nobody = { clientKey: '', clientSecret: '' }
  const { contract: named } = await check({
    url,
    target: 'sandbox',
    contract,
    credentials: nobody,
    only: ['no-server-error', 'example-accepted'],
  })
  expect(named.title).toBe('Other')
  const gone = check({ url: 'http://127.0.0.1:1', target: 'sandbox', contract, credentials: nobody })
  await expect(gone).rejects.toThrow('the service cannot be reached')
})

test('keeps the safe default values if another value of the operation is set', async () => {
  const started = await service()
  const values = { createTransfer: { '/description': 'Teste' } }
  await check({
    url: started.url,
    target: 'sandbox',
    credentials,
    values,
    only: ['example-accepted'],
    operations: ['createTransfer'],
  })
  const sent = started.passed.filter(
    ({ path, status }) => path.startsWith('/mobile-bff/v1/pix/out') && status < 300,
  )
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.map(({ body }) => JSON.parse(body).amount ?? JSON.parse(body).data?.amount)).toContain('0.01')
})

test('also counts the keywords of requests that were not tried', async () => {
  const { url } = await service()
  const { coverage } = await check({
    url,
    target: 'sandbox',
    credentials,
    only: ['credentials-required', 'example-accepted'],
    operations: ['checkKey'],
  })
  const tried = coverage.keywords.filter(({ accepted, refused }) => accepted + refused > 0)
  expect({ tried, known: coverage.keywords.map(({ keyword }) => keyword).sort() }).toEqual({
    tried: [],
    known: ['maxLength', 'minLength', 'required', 'type', 'type'],
  })
})
