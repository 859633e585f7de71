import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { evidenceOf } from '../../src/engine/evidence.ts'
import { readContract } from '../../src/model/contract.ts'
import { defaultContract } from '../../src/model/contract-source.ts'
import type { Exchange } from '../../src/model/exchange.ts'
import { createMask } from '../../src/transport/mask.ts'

const contract = readContract(await defaultContract())
const base = 'http://127.0.0.1:4020/'
const BEARER = { authorization: 'Bearer token-of-a-partner' }

function shown(
  request: Partial<Exchange['request']>,
  operation?: string,
  rule = { phase: 'invalid requests' } as const,
) {
  const mask = createMask()
  mask.add('token-of-a-partner', '$TOKEN')
  mask.add('token-of-a-customer', '$CUSTOMER_TOKEN')
  mask.add('secret', '$CLIENT_SECRET')
  const exchange: Exchange = {
    view: operation === undefined ? undefined : contract.operation(operation),
    input: {},
    request: { method: 'POST', path: '/', headers: {}, body: undefined, ...request },
    response: { status: 200, headers: {}, text: '', ms: 1 },
    body: undefined,
  }
  const evidence = evidenceOf(exchange, { base, mask, contract, rule })
  return { ...evidence, curl: evidence.curl ?? 'none' }
}

/** Splits a curl command into arguments, as a shell does. */
function wordsOf(curl: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${curl}`
  const env = { PATH: process.env.PATH ?? '', TOKEN: 't "0" \'1\'', CLIENT_SECRET: 'hidden' }
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1)
}

describe('the command', () => {
  test('reads secrets from variables', () => {
    const { curl } = shown({ headers: BEARER })
    expect(curl).toContain(`-H 'authorization: Bearer '"$TOKEN"`)
    expect(wordsOf(curl)).toContain('authorization: Bearer t "0" \'1\'')
  })

  test.each(['$(touch x)', '`touch x`', '"$HOME"', "'; exit 1; '", '$TOKEN', 'line\nline', '\\'])(
    'hands over %j as it is',
    (text) => {
      const words = wordsOf(shown({ headers: { 'x-y': text }, body: text, path: `/a?b=${text}` }).curl)
      expect(words).toContain(`x-y: ${text}`)
      expect(words[words.indexOf('--data-raw') + 1]).toBe(text)
      expect(words.at(-1)).toBe(`http://127.0.0.1:4020/a?b=${text}`)
    },
  )

  test('sends one request, although its query holds brackets', async () => {
    const paths: string[] = []
    const server = createServer((request, response) => {
      paths.push(request.url ?? '')
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { curl } = shown({ path: '/a?tag=[1-3]&tag={a,b}' })
    await promisify(execFile)('sh', ['-c', curl.replace(':4020', `:${port}`)])
    server.close()
    expect(paths).toEqual(['/a?tag=[1-3]&tag={a,b}'])
  })

  test('is not printed if the body was cut', () => {
    const { curl, request } = shown({ body: 'x'.repeat(2_001) })
    expect(curl).toBe('none')
    expect(request).toMatch(/x… \(2,001 characters\)$/)
    expect(shown({ body: 'x'.repeat(2_000) }).curl).toMatch(/^curl/)
  })

  test('does not cut a secret in two', () => {
    const { request } = shown({ body: `${'x'.repeat(1_995)}token-of-a-partner` })
    expect(request).not.toMatch(/xtok/)
  })
})

describe('a secret in a path', () => {
  const path = '/mobile-bff/v1/partner/webhook/1/secret'

  test('is shown if the contract contains the same value', () => {
    expect(shown({ path }, 'rotateWebhookSecret').path).toBe(path)
    expect(shown({ path: `${path}/`, method: 'GET' }).path).toBe(`${path}/`)
  })

  test.each([
    ['a parameter', '/mobile-bff/v1/partner/webhook/secret/secret', 'webhook/$CLIENT_SECRET/secret'],
    ['a query', `${path}?q=secret`, '?q=$CLIENT_SECRET'],
    ['a segment that is longer', '/mobile-bff/v1/partner/webhook/1/secrets', '1/$CLIENT_SECRETs'],
    ['a token', `${path}/token-of-a-partner`, 'secret/$TOKEN'],
  ])('is hidden in %s', (_, given, expected) => {
    expect(shown({ path: given }, 'rotateWebhookSecret').path).toContain(expected)
  })
})

describe('a single command reproduces', () => {
  test('a finding of one request', () => {
    expect(shown({}, 'listUsers').curl).toMatch(/^curl/)
    expect(shown({ body: '[]' }, 'createTransfer').curl).toMatch(/^curl/)
  })

  test('no finding whose token no command can obtain', () => {
    expect(shown({ headers: { authorization: 'Bearer token-of-a-customer' } }, 'listUsers').curl).toBe('none')
  })

  test('no finding with a one-time value', () => {
    expect(shown({ body: '{"initiation_id":"1"}' }, 'createTransfer').curl).toBe('none')
  })

  test.each([
    ['a record of the run', 'rotateWebhookSecret', 'invalid requests'],
    ['a sequence', 'listUsers', 'records'],
    ['a delivery', 'createWebhook', 'deliveries'],
  ] as const)('not %s', (_, operation, phase) => {
    expect(shown({}, operation, { phase } as never).curl).toBe('none')
  })
})
