import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { limitLines, MAX_MESSAGE } from '../src/mcp/lines.ts'

const LONG = 'x'.repeat(12_000_000)
const MESSAGE = 'The message has more than 1000000 bytes. Send less.'

/** Writes texts, and returns the lines that are passed on and the error responses. */
async function pass(...texts: readonly string[]) {
  const responses: object[] = []
  const lines = limitLines((response) => responses.push(response))
  const passed = text(lines)
  for (const each of texts) if (!lines.write(each)) await once(lines, 'drain')
  lines.end()
  return { passed: await passed, responses }
}

it('passes lines on, in whatever chunks they come', async () => {
  const { passed, responses } = await pass('{"a"', ':1}\n{"b":2', '}\r\n', '\n')
  expect(passed).toBe('{"a":1}\n{"b":2}\r\n\n')
  expect(responses).toEqual([])
  const most = `${'x'.repeat(MAX_MESSAGE - 1)}\n`
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
    '{"a":1}\n',
    line.slice(0, 70_000),
    line.slice(70_000),
    '\n{"b":2}\n',
  )
  expect(passed).toBe('{"a":1}\n{"b":2}\n')
  expect(responses).toEqual([{ jsonrpc: '2.0', id, error: { code: -32_600, message: MESSAGE } }])
})
