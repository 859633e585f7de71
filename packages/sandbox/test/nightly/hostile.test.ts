import { crc16 } from '@partner-payments/brcode'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import { reconcile } from '../../src/ledger/reconcile.ts'
import { BACKENDS, newState } from '../backends.ts'
import { createAsker, createRequest, issueToken } from '../callers.ts'
import { createSender, examples, prepare, type Send } from '../contract.ts'
import { findFaults } from '../hostile/responses.ts'

/** Maximum bytes of a body (the assumption to the open question `body-size`). */
const LIMIT = 65_536
const failures: unknown[] = []

/** Isolated: resolves no name and opens no socket. */
const CLOSED = {
  now: () => Date.parse('2026-11-02T12:00:00Z'),
  checksResponses: true,
  limitsRates: false,
  observe: {
    failed: (error: unknown) => {
      failures.push(error)
    },
  },
  poster: {
    lookup: async () => [],
    open: () => {
      throw new Error('deliveries must not be sent')
    },
  },
}

describe.each(BACKENDS)('on %s', (backend) => {
  let sandbox: App
  let authorization: string
  let send: Send
  beforeAll(async () => {
    sandbox = await createApp({ ...CLOSED, ...(await newState(backend)) })
    authorization = await issueToken(sandbox)
    send = createSender(createAsker(sandbox.service, authorization))
    return () => sandbox.close()
  })

  /** Sends a body as it is, and expects a response that breaks no rule. */
  async function statusOf(
    method: string,
    path: string,
    body?: string | Uint8Array,
  ): Promise<number> {
    const response = await sandbox.service(createRequest(method, path, { authorization, body }))
    expect(await findFaults(response)).toEqual([])

    return response.status
  }

  // All operations read bodies with the same code.
  test('handles invalid or unusual JSON', async () => {
    const fine = JSON.stringify(examples.find(({ id }) => id === 'createTransfer')?.body)
    for (const body of [...TEXTS, ...encodingsOf(fine), ...fullOf(fine)]) {
      const status = await statusOf('POST', '/mobile-bff/v1/pix/out/', body)
      expect(status).toBeGreaterThanOrEqual(200)
    }
  })

  test('handles invalid payment codes', async () => {
    const codes: string[] = []
    for (const example of examples) {
      if (!WITH_CODE.has(example.id)) continue

      const asked = await prepare(send, example)
      const { body } = await send(example.id, asked)
      codes.push(body.emv ?? asked.body?.emv)
    }

    const pay = (emv: string) => {
      const body = JSON.stringify({ type: 'emv', amount: '0.01', emv })
      return statusOf('POST', '/mobile-bff/v1/pix/out/', body)
    }
    const check = (emv: string) =>
      statusOf('POST', '/mobile-bff/v1/pix/brcode/emv/', JSON.stringify({ emv }))

    const statuses = new Set<number>()
    const handles = async (emv: string, isPaid: boolean) => {
      statuses.add(isPaid ? await pay(emv) : await check(emv))
    }

    // PostgreSQL gets less: validation is the same, only strings matter.
    const numRuns = backend === 'postgres' ? 2_000 : 18_000
    await fc.assert(fc.asyncProperty(changedCode(codes), fc.boolean(), handles), {
      numRuns,
      seed: 3,
    })
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 422]))
  })

  test('has a ledger that adds up, and no failure in the background', async () => {
    await sandbox.worker.idle()
    expect(await sandbox.store.read(reconcile)).toEqual([])
    expect(failures).toEqual([])
  })
})

/** Operations whose request or response has a payment code. */
const WITH_CODE: ReadonlySet<string> = new Set([
  'createStaticQrCode',
  'createImmediateQrCode',
  'createDueDateQrCode',
  'checkCode',
])

const TEXTS: readonly string[] = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '{}',
  '[]',
  '{}{}',
  '[]]',
  'null',
  'true',
  'NaN',
  '{"a":NaN}',
  '{"a":Infinity}',
  '{"a":undefined}',
  '{"a":+1}',
  '{"a":01}',
  '{"a":.5}',
  '{"a":1.}',
  '{"a":0x10}',
  '{"a":1e999}',
  '{"a":-0}',
  '{"a":1,}',
  '[1,]',
  `{'a':1}`,
  '{a:1}',
  '"a"',
  '1',
  '-',
  '1e',
  '{"amount":"1.00","amount":"2.00"}',
  '{"dict_key":"a","dict_key":{}}',
  '{"__proto__":1}',
  '{"":""}',
  'a=1&b=2',
  '<x/>',
  '--boundary',
  '// {}',
  '/* */{}',
  '{} // x',
  String.raw`{"a":"\x41"}`,
  String.raw`{"a":"\u12"}`,
  String.raw`{"a":"\ud800"}`,
  String.raw`{"\u0000":1}`,
  '[object Object]',
  ' ',
  '\n\t ',
  '\0',
  '{"a":"\n"}',
  '{"a":"\t"}',
  '\u2028{}',
  '\ufeff\ufeff{}',
  '{}\0',
  '\x1b[2J',
]

function encodingsOf(fine: string): Uint8Array[] {
  const utf16 = Buffer.from(fine, 'utf16le')
  return [
    Buffer.from(`\ufeff${fine}`),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from('{"a":"é"}', 'latin1'),
    ...INVALID_UTF8.map(withBytes),
  ]
}

/** Bytes that are no UTF-8, in hexadecimal. */
const INVALID_UTF8 = ['c0af', 'ff', 'eda080', 'f4908080', 'e28028', '80', 'f0']

/** A body with these bytes in a string. */
function withBytes(hex: string): Buffer {
  return Buffer.concat([Buffer.from('{"dict_key":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')])
}

/** Bodies of the maximum size and depth, and slightly above. */
function fullOf(fine: string): string[] {
  const manyFields = Array.from({ length: 5_000 }, (_, i) => `"k${i}":1`)
  return [
    fine.padEnd(LIMIT),
    fine.padEnd(LIMIT + 1),
    'x'.repeat(LIMIT * 4),
    '['.repeat(LIMIT),
    '['.repeat(LIMIT / 2) + ']'.repeat(LIMIT / 2),
    `"${'\\'.repeat(LIMIT - 2)}"`,
    `[${'0,'.repeat(32_000)}0]`,
    `{"amount":${'9'.repeat(65_000)}}`,
    `{"a":"${'a'.repeat(65_000)}"}`,
    `${'{"a":'.repeat(10_922)}1${'}'.repeat(10_922)}`,
    `{${manyFields.join()}}`,
  ]
}

const PIECES = [
  '0',
  '9',
  '00',
  '99',
  '54',
  '5404',
  '26',
  '62',
  '63',
  '6304',
  '0503***',
  'br.gov.bcb.pix',
  '.',
  '*',
  '-1',
  '1e9',
  '9999999999.99',
  '0.00',
  '0.001',
  '99999999999999',
  '',
  ' ',
  '\0',
  '\ud800',
  '😀',
  'é',
  '٣',
  'A'.repeat(99),
  'A'.repeat(999),
]

/**
 * A code with up to three cuts and insertions. Half of them have a valid checksum, so that their
 * content is read.
 */
function changedCode(codes: readonly string[]): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(200),
    cut: fc.nat(8),
    piece: fc.constantFrom(...PIECES),
  })
  const parts = fc.tuple(
    fc.constantFrom(...codes),
    fc.array(change, { maxLength: 3 }),
    fc.boolean(),
  )
  return parts.map(([code, changes, isSealed]) => {
    let changed = code
    for (const { at, cut, piece } of changes)
      changed = changed.slice(0, at) + piece + changed.slice(at + cut)
    return isSealed ? sealed(changed) : changed
  })
}

/** Appends the checksum. */
function sealed(code: string): string {
  const rest = code.replace(/6304[0-9A-Fa-f]{4}$/, '')
  const checksum = crc16(`${rest}6304`).toString(16).toUpperCase().padStart(4, '0')
  return `${rest}6304${checksum}`
}
