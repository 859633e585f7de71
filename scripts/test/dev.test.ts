import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { Program } from '@partner-payments/programs'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

it('names every port that is in use before it builds, with a command that takes free ones, and exits with 1', async () => {
  const [docs, sandbox] = await Promise.all([portInUse(), portInUse()])
  const flags = ['--docs-port', `${docs}`, '--mock-port', '0', '--sandbox-port', `${sandbox}`]
  const stderr = `dev: ports ${docs} (docs), ${sandbox} (sandbox) are in use. \
Stop what listens there, or take free ports:
  npx -y pnpm@12 dev --docs-port 0 --mock-port 0 --sandbox-port 0
`
  expect(await run('dev', ...flags)).toEqual({ code: 1, stdout: '', stderr })
})

it('names the port of the example that is in use', async () => {
  const port = await portInUse()
  const words = `^example: port ${port} \\(page\\) is in use\\. .*\n {2}npx -y pnpm@12 example --port 0\n$`
  const stderr = expect.stringMatching(words)
  expect(await run('example', '--port', `${port}`)).toMatchObject({ code: 1, stderr })
})

it.each([
  { port: 'abc', flag: '--mock-port', words: "'abc' is invalid. It must be an integer from 0 to" },
  { port: '70000', flag: '--mock-port', words: "'70000' is invalid. It must be an integer from 0" },
  { port: '4010', flag: '--docs-port', words: 'port 4010 is chosen twice' },
])('refuses the port "$port" of $flag, and exits with 2', async ({ port, flag, words }) => {
  expect(await run('dev', flag, port)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(words),
  })
})

async function portInUse(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Runs a command of `scripts` that ends before it builds. */
function run(command: string, ...args: readonly string[]) {
  return new Program(process.execPath, [join(ROOT, `scripts/${command}.ts`), ...args]).ended
}
