import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Program } from '@partner-payments/programs'
import { afterAll, expect, it } from 'vitest'
import { copyOfContract } from './contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'mock-'))
afterAll(() => rmSync(folder, { recursive: true }))
/** A contract with control characters, which its message must escape. */
const CONTROL = join(folder, 'control.json')
writeFileSync(CONTROL, '\u001b[2J\u009b')

it('prints its address and an example call in one line, keeps its port, and stops on SIGTERM despite an open connection', async () => {
  await using mock = start()
  const greeting = await mock.printed(/^The mock runs on (.+), try curl -u \S+ -X POST (\S+)\n/)
  const [line, url = '', tryOut = ''] = greeting

  const authorization = `Basic ${btoa('key:secret')}`
  expect((await fetch(tryOut, { method: 'POST', headers: { authorization } })).status).toBe(200)

  const { port } = new URL(url)
  const stderr = `Port ${port} of 127.0.0.1 is in use; choose another with --port, or 0 for a free one.\n`
  expect(await run('--port', port)).toEqual({ code: 1, stdout: '', stderr })

  const heard = await halfRequest(url)
  expect(await mock.stop('SIGTERM')).toEqual({ code: 0, stdout: line, stderr: '' })
  expect(await heard()).toBe('')
})

/** Sends a partial request and returns the response: 408 if the mock waits for the rest. */
async function halfRequest(url: string): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nhost: mock\r\n')
  // The connection is reset if the mock has not read the part.
  const heard = text(socket).catch(() => '')
  return () => heard
}

it('logs a line for every request with --verbose, and stops on SIGINT', async () => {
  await using mock = start('--verbose')
  const [url] = await mock.printed(ADDRESS)
  await fetch(`${url}/nowhere`)
  const stderr = expect.stringMatching(/^GET \/nowhere -> 404 - \d+ ms\n$/)
  expect(await mock.stop('SIGINT')).toMatchObject({ code: 0, stderr })
})

it('mocks other contracts together', async () => {
  const files = ['/one', '/other'].map((path) => {
    const { paths, ...contract } = copyOfContract()
    const onlyPath = { [path]: paths['/mobile-bff/v1/partner/user'] }
    const file = join(folder, `${path.slice(1)}.json`)
    writeFileSync(file, JSON.stringify({ ...contract, paths: onlyPath }))
    return file
  })

  const contractFlags = files.flatMap((file) => ['--contract', file])
  await using mock = start(...contractFlags, '--dynamic')
  const [url] = await mock.printed(ADDRESS)
  for (const path of ['/one', '/other']) {
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: 'Bearer some-token' },
    })
    expect(response.status).toBe(200)
  }
  expect(mock.stdout).not.toContain('curl')
})

it.each([
  { file: 'missing.json', reason: /missing\.json: ENOENT/ },
  { file: 'package.json', reason: /package\.json: the contract must be OpenAPI 3\.1/ },
  // It quotes nothing of the file, which may be another one than was meant.
  { file: CONTROL, reason: /control\.json is not JSON; name a bundled OpenAPI 3\.1 document\n$/ },
])('fails to start with the contract $file', async ({ file, reason }) => {
  expect(await run('--contract', file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(reason),
  })
})

it.each([
  { args: '--prot', message: "error: unknown option '--prot'\n(Did you mean --port?)" },
  {
    args: '--port 65536',
    message:
      "error: option '--port <number>' argument '65536' is invalid. It must be an integer from 0 to 65535.",
  },
  {
    args: '4010',
    message: 'error: too many arguments. Expected 0 arguments but got 1: 4010.',
  },
])('refuses $args, and says how to get help', async ({ args, message }) => {
  expect(await run(...args.split(' '))).toEqual({
    code: 2,
    stdout: '',
    stderr: `${message}\nRun \`partner-payments-mock --help\` for the options.\n`,
  })
})

it.each([
  { flag: '--help', stdout: /--contract <file>/ },
  { flag: '--version', stdout: /^\d+\.\d+\.\d+\n$/ },
])('explains itself with $flag', async ({ flag, stdout }) => {
  expect(await run(flag)).toEqual({ code: 0, stdout: expect.stringMatching(stdout), stderr: '' })
})

const ADDRESS = /http:[^,\s]+/

function start(...flags: string[]): Program {
  const cli = join(import.meta.dirname, '../src/cli.ts')
  return new Program(process.execPath, [cli, '--port', '0', ...flags], {
    cwd: join(import.meta.dirname, '..'),
  })
}

/** Runs a command that ends by itself. */
function run(...flags: string[]) {
  return start(...flags).ended
}
