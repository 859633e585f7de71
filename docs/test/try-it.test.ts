import { readFile } from 'node:fs/promises'
import { type RunningSandbox, serve } from '@partner-payments/sandbox'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import {
  formatBody,
  isRepeated,
  linkedStart,
  noteRequest,
  openSandbox,
  startNext,
  writeCurl,
} from '../.vitepress/theme/try-it.ts'
import { tryOperations } from '../build/try-it.ts'
import { listen } from './serve.ts'
import { behaviour, contract } from './site.ts'
import { emptyStore } from './store.ts'

const operations = tryOperations(contract, behaviour)
let sandbox: RunningSandbox
let form: Awaited<ReturnType<typeof openSandbox>>
beforeAll(async () => {
  sandbox = await serve({ port: 0, allowLoopback: true })
  form = await openSandbox(operations, new URL(sandbox.url), emptyStore())
})
afterAll(() => sandbox?.close())

it.each(operations)('$id succeeds with each of its examples', async (operation) => {
  // An operation without an example is sent once.
  const count = Math.max(1, operation.examples.length)
  for (let example = 0; example < count; example++) {
    const input = await form.prepare(operation, { identity: 'partner', example })
    const response = await form.send(operation, input)
    expect(response.status, operation.examples[example]?.summary).toBeLessThan(300)
  }
})

it.each([
  {
    identity: 'customer',
    first: 'checkKey',
    second: 'createTransfer',
    carried: ['dict_key', 'initiation_id'],
  },
  {
    identity: 'customer',
    first: 'checkCode',
    second: 'createTransfer',
    carried: ['emv'],
  },
  {
    identity: 'partner',
    first: 'createStaticQrCode',
    second: 'checkCode',
    carried: ['emv'],
  },
  {
    identity: 'partner',
    first: 'createImmediateQrCode',
    second: 'cancelImmediateQrCode',
    carried: ['id'],
  },
  {
    identity: 'partner',
    first: 'createWebhook',
    second: 'rotateWebhookSecret',
    carried: ['id'],
  },
  {
    identity: 'partner',
    first: 'getUser',
    second: 'impersonate',
    carried: [],
  },
] as const)(
  'as a $identity, $first leads to $second with its values, and both succeed',
  async ({ identity, first, second, carried }) => {
    const input = await form.prepare(operationOf(first), { identity, example: 0 })
    const body = await (await form.send(operationOf(first), input)).text()

    const link = operationOf(first).next.find(({ id }) => id === second)
    if (!link) throw new Error(`${first} has no next step ${second}`)
    const start = startNext(link, operationOf(second), input, body)
    const next = await form.prepare(operationOf(second), start)

    const shown = { ...JSON.parse(input.body || '{}'), ...JSON.parse(body) }
    for (const name of carried) expect(JSON.stringify(next)).toContain(shown[name])
    expect((await form.send(operationOf(second), next)).status).toBeLessThan(300)
  },
)

it('signs in once for the forms of all pages, and again after a refusal', async () => {
  const requests = vi.spyOn(globalThis, 'fetch')
  onTestFinished(() => requests.mockRestore())
  const signIns = () => requests.mock.calls.filter(([url]) => isSignIn(String(url))).length
  const store = emptyStore()
  const listUsers = async () => {
    const { send, prepare } = await openSandbox(operations, new URL(sandbox.url), store)
    const input = await prepare(operationOf('listUsers'), { identity: 'partner', example: 0 })
    return (await send(operationOf('listUsers'), input)).status
  }

  expect([await listUsers(), await listUsers(), signIns()]).toEqual([200, 200, 1])

  for (const key of store.keys()) store.setItem(key, 'expired')
  expect([await listUsers(), signIns()]).toEqual([200, 2])
})

it('shows as curl what was edited, as one argument of a shell', () => {
  const input = { identity: 'partner' as const, parameters: {}, body: `{ "name": "D'Ávila" }` }
  expect(writeCurl(operationOf('createTransfer'), input)).toBe(
    [
      'curl "$BASE_URL/mobile-bff/v1/pix/out/" \\',
      '  --header "authorization: Bearer $ACCESS_TOKEN" \\',
      "  --header 'content-type: application/json' \\",
      `  --data '{ "name": "D'\\''Ávila" }'\n`,
    ].join('\n'),
  )
})

it('registers the receiver of the sandbox as a webhook', async () => {
  const { body } = await form.prepare(operationOf('createWebhook'), {
    identity: 'partner',
    example: 0,
  })
  expect(JSON.parse(body)).toMatchObject({ url: `${sandbox.url}/_sandbox/receiver` })
})

it('names the operation that it sends first for an id', async () => {
  const start = { identity: 'partner', example: 0 } as const
  expect((await form.prepare(operationOf('cancelImmediateQrCode'), start)).first).toBe(
    'createImmediateQrCode',
  )
  expect((await form.prepare(operationOf('checkKey'), start)).first).toBeUndefined()
})

it('refuses the example to which the guide of errors leads, if it is sent twice', async () => {
  const guide = await readFile(new URL('../guides/errors.md', import.meta.url), 'utf8')
  const [, query = ''] = /createTransfer\.md(\?\S+)#try-it/.exec(guide) ?? []
  const operation = operationOf('createTransfer')
  const start = linkedStart(operation, query)
  if (!start) throw new Error(`no example of createTransfer for "${query}"`)

  const input = await form.prepare(operation, start)
  const first = await form.send(operation, input)
  const second = await form.send(operation, input)
  expect([first.status, second.status]).toEqual([201, 409])
  expect(await second.json()).toMatchObject({ code: 'initiation_used' })
})

it.each(['', '?example=nowhere'])('starts as usual with "%s"', (query) => {
  expect(linkedStart(operationOf('createTransfer'), query)).toBeUndefined()
})

it('sends nothing from a page that is on another machine', async () => {
  await expect(
    openSandbox(operations, new URL('https://docs.example.com'), emptyStore()),
  ).rejects.toThrow('your machine')
})

it.each([
  { title: 'does not respond', body: undefined },
  { title: 'never ends its response', body: () => new ReadableStream() },
])('fails if a sandbox $title', async ({ body }) => {
  const silent = await listen(() => (body ? new Response(body()) : new Promise(() => {})))
  onTestFinished(() => silent.close().then(() => undefined))
  const opening = openSandbox(operations, new URL(silent.url), emptyStore(), 50)
  await expect(opening).rejects.toThrow('timeout')
})

it('fails if no sandbox responds', async () => {
  const page = new URL(`${sandbox.url}/`)
  const elsewhere = operations.map((operation) => ({ ...operation, path: '/nowhere' }))
  await expect(openSandbox(elsewhere, page, emptyStore())).rejects.toThrow('/nowhere returned 404')
})

it.each([
  { title: 'indents a body', text: '{"a":1}', shown: '{\n  "a": 1\n}' },
  { title: 'leaves an empty body', text: '', shown: '' },
  {
    title: 'leaves a body that is nested deeply',
    text: `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
    shown: `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
  },
  {
    title: 'cuts a long body',
    text: `"${'a'.repeat(200_000)}"`,
    shown: `"${'a'.repeat(99_999)}\n… and 100002 more characters`,
  },
])('$title', ({ text, shown }) => {
  expect(formatBody(text, text && JSON.parse(text))).toBe(shown)
})

it.each([
  {
    id: 'createTransfer',
    first: '{ "amount": "1.00" }',
    second: '{"amount":"1.00"}',
    isSame: true,
  },
  {
    id: 'createTransfer',
    first: '{"amount":"2.00"}',
    second: '{"amount":"3.00"}',
    isSame: false,
  },
  {
    id: 'checkKey',
    first: '{"dict_key":"a"}',
    second: '{"dict_key":"a"}',
    isSame: false,
  },
  {
    id: 'createWebhook',
    first: 'no JSON',
    second: 'no JSON',
    isSame: true,
  },
])(
  'knows of $id after $first whether $second repeats it: $isSame',
  ({ id, first, second, isSame }) => {
    const operation = operationOf(id)
    const input = (body: string) => ({ identity: 'partner' as const, parameters: {}, body })
    expect(isRepeated(operation, input(first))).toBe(false)
    noteRequest(operation, input(first))
    expect(isRepeated(operation, input(second))).toBe(isSame)
  },
)

function isSignIn(url: string): boolean {
  return url.endsWith(operationOf('signIn').path)
}

function operationOf(id: string) {
  const operation = operations.find((candidate) => candidate.id === id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  return operation
}
