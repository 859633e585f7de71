import { crc16 } from '@partner-payments/brcode'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../src/ledger/reconcile.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox.ts'
import { sharedPostgres } from '../backends.ts'
import { askerOf, requestOf, tokenOf } from '../callers.ts'
import { type Described, described, examples, prepare, type Send, senderOf, unused } from '../contract.ts'
import { type Edit, edited, editsOf } from '../hostile/edges.ts'
import { faultsInTime } from '../hostile/responses.ts'
import { items, words } from '../hostile/words.ts'
import { BACKENDS } from '../started.ts'

/** Maximum bytes of a body (the assumption to the open question `body-size`). */
const LIMIT = 65_536
const TAKEN = `SELECT count(*) AS count FROM transfers WHERE status = 'pending'`
const failures: unknown[] = []

/** Isolated: resolves no name and opens no socket. Transfers settle after the test. */
const CLOSED = {
  now: () => Date.parse('2026-11-02T12:00:00Z'),
  checksResponses: true,
  limitsRates: false,
  maxWebhooks: 10_000,
  settleAfterMs: 86_400_000,
  observe: { failed: (error: unknown) => void failures.push(error) },
  poster: {
    lookup: async () => [],
    open: () => {
      throw new Error('deliveries must not be sent')
    },
  },
}

/** Reads come first, because lists would become long after the others. */
const readersFirst = described.toSorted((a, b) => Number(b.method === 'GET') - Number(a.method === 'GET'))

describe.each(BACKENDS)('on %s', (backend) => {
  let sandbox: Sandbox
  let authorization: string
  let send: Send
  beforeAll(async () => {
    const where = backend === 'postgres' && { databaseUrl: await sharedPostgres().newDatabase() }
    sandbox = await createSandbox({ ...CLOSED, ...where })
    authorization = await tokenOf(sandbox)
    send = senderOf(askerOf(sandbox.service, authorization))
    return () => sandbox.close()
  })

  /** Sends a body as it is, and expects a response that breaks no rule. */
  async function statusOf(method: string, path: string, body?: string | Uint8Array): Promise<number> {
    const sent = { authorization, ...(body !== undefined && { body }) }
    const { faults, status } = await faultsInTime(sandbox.service(requestOf(method, path, sent)))
    expect(faults).toEqual([])
    return status
  }

  test.each(readersFirst)('$method $path ($id) handles every changed request', async (operation) => {
    const { id, method, schema } = operation
    const records = await Promise.all(examples.map((example) => prepare(send, example)))
    const ids = records.flatMap(({ path = {} }) => Object.values(path))
    const statuses = new Set<number>()
    const handles = async ({ example, edits, path, written }: Change) => {
      const body = edits.reduce(edited, await unused(send, example))
      statuses.add(await statusOf(method, path, schema && written(JSON.stringify(body) ?? '')))
    }
    await fc.assert(fc.asyncProperty(changeOf(operation, ids), handles), { numRuns: 400, seed: 7 })
    // A 401 would mean that the token was tested instead.
    if (id !== 'signIn') expect(statuses).not.toContain(401)
    if (id !== 'signIn') expect([...statuses].filter((it) => it < 300)).toHaveLength(1)
  })

  // All operations read bodies with the same code.
  test('handles invalid or unusual JSON', async () => {
    const fine = JSON.stringify(examples.find(({ id }) => id === 'createTransfer')?.body)
    for (const body of [...TEXTS, ...encodingsOf(fine), ...fullOf(fine)])
      expect(await statusOf('POST', '/mobile-bff/v1/pix/out/', body)).toBeGreaterThanOrEqual(200)
  })

  test('handles invalid payment codes', async () => {
    const created = words('createStaticQrCode createImmediateQrCode createDueDateQrCode checkCode')
    const codes: string[] = []
    for (const example of examples.filter(({ id }) => created.includes(id))) {
      const asked = await prepare(send, example)
      codes.push((await send(example.id, asked)).body.emv ?? asked.body?.emv)
    }
    const statuses = new Set<number>()
    const handles = async (emv: string, isPaid: boolean) => {
      const body = isPaid ? { type: 'emv', amount: '0.01', emv } : { emv }
      const path = `/mobile-bff/v1/pix/${isPaid ? 'out' : 'brcode/emv'}/`
      statuses.add(await statusOf('POST', path, JSON.stringify(body)))
    }
    // PostgreSQL gets less: validation is the same, only strings matter.
    const numRuns = backend === 'sqlite' ? 18_000 : 2_000
    await fc.assert(fc.asyncProperty(changedCode(codes), fc.boolean(), handles), { numRuns, seed: 3 })
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 422]))
  })

  test('settles what it accepted, and its ledger adds up', async () => {
    const { store, worker, clock } = sandbox
    const count = async () => (await store.read((queries) => queries.get<{ count: bigint }>(TAKEN)))?.count
    expect(await count()).not.toBe(0n)
    await store.write((queries) => queries.run(`UPDATE webhooks SET status = 'inactive'`))
    await worker.moveTo(clock.now() + 2 * CLOSED.settleAfterMs)
    expect(await count()).toBe(0n)
    expect(await store.read(reconcile)).toEqual([])
    expect(failures).toEqual([])
  })
})

const STRANGE = [
  ...words(`
    %00 a%00b %ff %ed%a0%80 %F4%8F%BF%BF %E2%80%AE % %zz %2F %2e%2e '-- %22 __proto__ constructor {webhook_id} * 0 -1
    null %0d%0ax:%20y %F0%9F%98%80`),
  'x'.repeat(8_000),
]
const VALUES = [
  ...words(`
    1 100 101 1e2 01 1.0 +1 %31 ATIVA ativa CONCLUIDA 12345678909 c_ c_MQ c_MQ== c_MA c_LTE
    c_OTk5OTk5OTk5OTk5OTk5OTk5OQ c_Yk2pX9wQ7r MQ %5B%5D 1&limit=2`),
  '',
]

type Change = ReturnType<typeof changeOf> extends fc.Arbitrary<infer Value> ? Value : never

/** A request with up to three edits of its body, and another path and query. */
function changeOf({ path, parameters, schema, document, examples }: Described, ids: readonly string[]) {
  const queries = parameters.filter((it) => it.in === 'query').map((it) => String(it.name))
  const pair = fc.tuple(fc.constantFrom(...queries, 'a', '__proto__'), fc.constantFrom(...STRANGE, ...VALUES))
  const query = fc.array(pair, { maxLength: 3 }).map((all) => all.map((it) => it.join('=')).join('&'))
  const id = fc.oneof(fc.constantFrom(...ids), fc.constantFrom(...STRANGE))
  return fc.record({
    example: fc.constantFrom(
      ...(Object.values(examples) as Record<string, unknown>[]),
      ...(schema ? [] : [{}]),
    ),
    edits: schema
      ? fc.array(fc.constantFrom(...editsOf(document, schema)), { maxLength: 3 })
      : fc.constant<Edit[]>([]),
    path: fc
      .tuple(id, query)
      .map(([it, text]) => `${path.replace(/\{[^}]*\}/, () => it)}${text && `?${text}`}`),
    written: fc.constantFrom(
      ...Array.from({ length: 20 }, () => (json: string) => json),
      (json: string) =>
        json.replace(/^\{/, '{"__proto__":{"amount":"1.00"},"constructor":{"prototype":{"x":1}},'),
      (json: string) => json.replace(/"[^"]*"(?=})/, nested(10_000)),
    ),
  })
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

const TEXTS: readonly string[] = [
  ...words(`
    { } [ ] " , : {} [] {}{} []] null true NaN {"a":NaN} {"a":Infinity} {"a":undefined} {"a":+1} {"a":01} {"a":.5}
    {"a":1.} {"a":0x10} {"a":1e999} {"a":-0} {"a":1,} [1,] {'a':1} {a:1} "a" 1 - 1e {"amount":"1.00","amount":"2.00"}
    {"dict_key":"a","dict_key":{}} {"__proto__":1} {"":""} a=1&b=2 <x/> --boundary`),
  ...items(String.raw`
    // {} | /* */{} | {} // x | {"a":"\x41"} | {"a":"\u12"} | {"a":"\ud800"} | {"\u0000":1} | [object Object]`),
  ...[' ', '\n\t ', '\0', '{"a":"\n"}', '{"a":"\t"}', '\u2028{}', '\ufeff\ufeff{}', '{}\0', '\x1b[2J'],
]

function encodingsOf(fine: string): Uint8Array[] {
  const utf16 = Buffer.from(fine, 'utf16le')
  return [
    ...[Buffer.from(`\ufeff${fine}`), utf16, Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    ...[Buffer.from(utf16).swap16(), Buffer.from('{"a":"é"}', 'latin1')],
    ...['c0af', 'ff', 'eda080', 'f4908080', 'e28028', '80', 'f0'].map((hex) =>
      Buffer.concat([Buffer.from('{"dict_key":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')]),
    ),
  ]
}

/** Bodies of the maximum size and depth, and slightly above. */
function fullOf(fine: string): string[] {
  const padded = (size: number) => fine + ' '.repeat(size - Buffer.byteLength(fine))
  return [
    ...[padded(LIMIT), padded(LIMIT + 1), 'x'.repeat(LIMIT * 4), '['.repeat(LIMIT), nested(LIMIT / 2)],
    ...[`${'{"a":'.repeat(10_922)}1${'}'.repeat(10_922)}`, `"${'\\'.repeat(LIMIT - 2)}"`],
    ...[
      `[${'0,'.repeat(32_000)}0]`,
      `{"dict_key":"${'a'.repeat(65_000)}"}`,
      `{"amount":${'9'.repeat(65_000)}}`,
    ],
    `{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":1`).join()}}`,
  ]
}

const PIECES = [
  ...words(`
    0 9 00 99 54 5404 26 62 63 6304 0503*** br.gov.bcb.pix . * -1 1e9 9999999999.99 0.00 0.001 99999999999999`),
  ...['', ' ', '\0', '\ud800', '😀', 'é', '٣', 'A'.repeat(99), 'A'.repeat(999)],
]

/** A code with up to three cuts and insertions. Half of them have a valid checksum, so that their content is read. */
function changedCode(codes: readonly string[]): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(200), cut: fc.nat(8), piece: fc.constantFrom(...PIECES) })
  return fc
    .tuple(fc.constantFrom(...codes), fc.array(change, { maxLength: 3 }), fc.boolean())
    .map(([code, changes, isSealed]) => {
      const apply = (text: string, { at, cut, piece }: { at: number; cut: number; piece: string }) =>
        text.slice(0, at) + piece + text.slice(at + cut)
      const changed = changes.reduce(apply, code)
      return isSealed ? sealed(changed) : changed
    })
}

/** Appends the checksum. */
function sealed(code: string): string {
  const rest = code.replace(/6304[0-9A-Fa-f]{4}$/, '')
  return `${rest}6304${crc16(`${rest}6304`).toString(16).toUpperCase().padStart(4, '0')}`
}
