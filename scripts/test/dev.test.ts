import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const started: Array<() => unknown> = []
afterEach(async () => {
  for (const stop of started.splice(0).reverse()) await stop()
})

it('names every port that is in use before it builds, with a command that takes free ones, and exits with 1', async () => {
  const [docs, sandbox] = await Promise.all([portInUse(), portInUse()])
  const dev = run('dev', '--docs-port', `${docs}`, '--mock-port', '0', '--sandbox-port', `${sandbox}`)
  expect(await dev.exited).toBe(1)
  expect(dev.text()).toBe(`dev: ports ${docs} (docs), ${sandbox} (sandbox) are in use. \
Stop what listens there, or take free ports:
  npx -y pnpm@12 dev --docs-port 0 --mock-port 0 --sandbox-port 0
`)
})

it('names the port of the example that is in use', async () => {
  const port = await portInUse()
  const example = run('example', '--port', `${port}`)
  expect(await example.exited).toBe(1)
  expect(example.text()).toMatch(
    new RegExp(`^example: port ${port} \\(page\\) is in use\\. .*\n {2}npx -y pnpm@12 example --port 0\n$`),
  )
})

it.each(['abc', '70000'])('refuses the port %j, and exits with 2', async (port) => {
  const dev = run('dev', '--mock-port', port)
  expect(await dev.exited).toBe(2)
  expect(dev.text()).toContain(`from 0 to 65535, got "${port}"`)
})

it('refuses one port for two servers, and exits with 2', async () => {
  const dev = run('dev', '--docs-port', '4010')
  expect(await dev.exited).toBe(2)
  expect(dev.text()).toContain('port 4010 is chosen twice')
})

async function portInUse(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  started.push(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Runs a command of `scripts` that ends before it builds. */
function run(command: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [join(ROOT, `scripts/${command}.ts`), ...args])
  started.push(() => child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  return { exited: once(child, 'close').then(([code]) => code), text: () => text }
}
