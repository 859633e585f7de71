import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { MAX_MESSAGE, passValidLines } from '../src/mcp/lines.ts'

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
const LONG = 'x'.repeat(12_000_000)
const MESSAGE = 'The message has more than 1000000 bytes. Send less.'

/** Writes texts, and returns the lines that are passed on and the error responses. */
async function pass(...texts: readonly string[]) {
  const responses: object[] = []
  const lines = passValidLines((response) => responses.push(response))
  const passed = text(lines)
  for (const each of texts) if (!lines.write(each)) await once(lines, 'drain')
  lines.end()
  return { passed: await passed, responses }
}

it('passes lines on, in whatever chunks they come', async () => {
  const { passed, responses } = await pass(
    PING.slice(0, 9),
    `${PING.slice(9)}\n${PING}`,
    '\r\n',
    '\n',
  )
  expect(passed).toBe(`${PING}\n${PING}\r\n\n`)
  expect(responses).toEqual([])
  const most = `${PING.padEnd(MAX_MESSAGE - 1)}\n`
  expect((await pass(most)).passed).toBe(most)
})

it.each([
  { line: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":"${LONG}"}}`, id: 7 },
  { line: `{ "id": "a-1", "method": "tools/call", "params": "${LONG}" }`, id: 'a-1' },
  { line: `{"method":"tools/call","params":{"x":"${LONG}"},"jsonrpc":"2.0","id":8}`, id: 8 },
  {
    line: `{"jsonrpc":"2.0","method":"tools/call","params":{"id":9,"x":"${LONG}","y":1}}`,
    id: null,
  },
  { line: LONG, id: null },
])('refuses a line of 12 MB by its id, $id, and goes on: case %#', async ({ line, id }) => {
  const { passed, responses } = await pass(
    `${PING}\n`,
    line.slice(0, 70_000),
    line.slice(70_000),
    `\n${PING}\n`,
  )
  expect(passed).toBe(`${PING}\n${PING}\n`)
  expect(responses).toEqual([{ jsonrpc: '2.0', id, error: { code: -32_600, message: MESSAGE } }])
})

const INVALID_ID = /^"id" must be a string, or an integer from/
const INVALID_REQUEST = /^The message is not a request or notification of JSON-RPC 2.0/

// JSON-RPC 2.0, sections 5 and 5.1, with the ids that the Model Context Protocol allows.
it.each([
  { line: 'not json', id: null, code: -32_700, message: /^The message is not JSON/ },
  { line: '{"jsonrpc":"2.0","id":1', id: null, code: -32_700, message: /^The message is not JSON/ },
  { line: `\uFEFF${PING}`, id: null, code: -32_700, message: /^The message is not JSON/ },
  { line: '1', id: null, message: INVALID_REQUEST },
  { line: '{"jsonrpc":"2.0","id":null,"method":"ping"}', id: null, message: INVALID_ID },
  { line: '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', id: null, message: INVALID_ID },
  { line: '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', id: null, message: INVALID_ID },
  {
    line: '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
    id: null,
    message: INVALID_ID,
  },
  { line: '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', id: 1.5, message: INVALID_ID },
  { line: '{"id":"a","method":"ping"}', id: 'a', message: INVALID_REQUEST },
  { line: '{"jsonrpc":"2.0","id":2,"method":3}', id: 2, message: INVALID_REQUEST },
  { line: '{"jsonrpc":"2.0","method":"ping","params":"x"}', id: null, message: INVALID_REQUEST },
])('refuses the line $line by the id $id', async ({ line, id, code = -32_600, message }) => {
  const { passed, responses } = await pass(`${line}\n${PING}\n`)
  expect(passed).toBe(`${PING}\n`)
  const error = { code, message: expect.stringMatching(message) }
  expect(responses).toEqual([{ jsonrpc: '2.0', id, error }])
})

it.each([
  { batch: `[${PING},{"jsonrpc":"2.0","id":"b","method":"ping"}]`, ids: [1, 'b'] },
  { batch: `[${PING},1,{"id":{}},{"jsonrpc":"2.0","id":9,"result":{}}]`, ids: [1] },
  { batch: '[{"jsonrpc":"2.0","method":"notifications/initialized"}]', ids: [null] },
  { batch: '[]', ids: [null] },
])('refuses each request of the batch $batch by its id', async ({ batch, ids }) => {
  const { passed, responses } = await pass(`${batch}\n${PING}\n`)
  expect(passed).toBe(`${PING}\n`)
  const error = { code: -32_600, message: expect.stringMatching(/^Batches are not supported/) }
  expect(responses).toEqual(ids.map((id) => ({ jsonrpc: '2.0', id, error })))
})

it('sends no response to a response, even to an invalid one', async () => {
  const response = '{"jsonrpc":"2.0","id":{},"result":7}'
  expect((await pass(`${response}\n`)).responses).toEqual([])
})
