import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { gather } from './terminal.ts'

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))

function run(flags: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [cli, '--port', '0', ...flags], { env: { ...process.env, ...env } })
  return { child, output: gather(child), ended: once(child, 'exit') }
}

test('serves the hosts that flags allow', async () => {
  const { child, output, ended } = run([
    '--memory',
    '--allow-host',
    'one.example',
    '--allow-host',
    'two.example',
  ])
  await vi.waitUntil(() => output.text.includes('Ctrl-C') || child.exitCode !== null, 60_000)
  const [url = ''] = /http:\S+:\d+/.exec(output.text) ?? []
  const ask = (host: string) => statusOf(`${url}/`, host)
  expect([await ask('one.example'), await ask('two.example'), await ask('no.example')]).toEqual([
    200, 200, 403,
  ])
  child.kill('SIGTERM')
  await ended
})

test.each([
  [['--port', '65536']],
  [['--settle-after', 'x']],
  [['--nonsense']],
  [['--allow-host', 'sandbox:4020']],
  [['--memory', '--file', 'x.db']],
])('ends with 2 and the help on %j', async (flags) => {
  const { output, ended } = run(flags)
  expect([await ended, output.text]).toEqual([[2, null], expect.stringContaining('--help, --version')])
})

async function statusOf(url: string, host: string): Promise<number | undefined> {
  const [response] = await once(request(url, { headers: { host } }).end(), 'response')
  response.resume()
  return response.statusCode
}
