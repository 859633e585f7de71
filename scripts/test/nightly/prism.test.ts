import { fileURLToPath } from 'node:url'
import { freePort, Program } from '@partner-payments/programs'
import { afterAll, beforeAll, expect, it } from 'vitest'

const PRISM = fileURLToPath(new URL('../../prism.ts', import.meta.url))
const programs: Program[] = []
let mock: string
let proxy: string

beforeAll(async () => {
  mock = await prism('mock')
  proxy = await prism('proxy', mock, '--errors')
})
afterAll(() => Promise.all(programs.map((program) => program.stop())))

it('`pnpm prism mock` accepts the bundled contract unchanged', async () => {
  const response = await checkKey(mock, { dict_key: 'beltrana@example.com' })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ dict_key: 'beltrana@example.com' })
})

it('`pnpm prism proxy` passes valid messages and reports violations', async () => {
  expect((await checkKey(proxy, { dict_key: 'beltrana@example.com' })).status).toBe(200)
  expect((await checkKey(proxy, {})).status).toBe(422)
})

function checkKey(url: string, body: object): Promise<Response> {
  return fetch(`${url}/mobile-bff/v1/pix/dict/check/`, {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Starts a command of Prism on the built contract, on a free port, and waits until it listens. */
async function prism(command: string, ...args: readonly string[]): Promise<string> {
  const port = await freePort()
  const program = new Program(process.execPath, [PRISM, command, ...args, '--port', String(port)])
  programs.push(program)
  await program.printed(/is listening/)
  return `http://127.0.0.1:${port}`
}
