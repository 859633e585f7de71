import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { main } from '../src/main.ts'
import { copyOfContract } from './contract.ts'

type Running = Awaited<ReturnType<typeof start>>

const children: ChildProcess[] = []
const folder = mkdtempSync(join(tmpdir(), 'mock-'))

afterAll(() => {
  rmSync(folder, { recursive: true })
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

describe('a running mock', () => {
  let mock: Running
  beforeAll(async () => {
    mock = await start()
  })

  it('prints its address and an example call in one line', async () => {
    const tryOut = /try curl (-u \S+) -X POST (\S+)/.exec(mock.greeting)
    const authorization = `Basic ${btoa('key:secret')}`
    const response = await fetch(tryOut?.[2] ?? '', { method: 'POST', headers: { authorization } })
    expect(response.status).toBe(200)
  })

  it('a second mock reports the port as in use', async () => {
    const { port } = new URL(mock.url)
    const { code, stderr } = await run('--port', port)
    expect(code).toBe(1)
    expect(stderr).toMatch(
      new RegExp(`^Port ${port} of 127.0.0.1 is in use; choose another with --port, or 0 for a free one.\n$`),
    )
  })

  it('stops on SIGTERM despite an open connection, without further output', async () => {
    const heard = await halfRequest(mock)
    expect(await mock.stop('SIGTERM')).toEqual({ code: 0, stdout: mock.greeting, stderr: '' })
    expect(await heard()).toBe('')
  })
})

it('logs a line for every request with --verbose, and stops on SIGINT', async () => {
  const mock = await start('--verbose')
  await fetch(`${mock.url}/nowhere`)
  const { code, stderr } = await mock.stop('SIGINT')
  expect(code).toBe(0)
  expect(stderr).toMatch(/^GET \/nowhere -> 404 - \d+ ms\n$/)
})

/** Sends a partial request and returns the response: 408 if the mock waits for the rest. */
async function halfRequest({ url }: Running): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nhost: mock\r\n')
  // The connection is reset if the mock has not read the part.
  const heard = text(socket).catch(() => '')
  return () => heard
}

it('mocks other contracts together', async () => {
  const files = ['/one', '/other'].map((path) => {
    const { paths, ...contract } = copyOfContract()
    const file = join(folder, `${path.slice(1)}.json`)
    const own = { [path]: paths['/mobile-bff/v1/partner/user'] }
    writeFileSync(file, JSON.stringify({ ...contract, paths: own }))
    return file
  })
  const mock = await start(...files.flatMap((file) => ['--contract', file]), '--dynamic')
  for (const path of ['/one', '/other']) {
    const response = await fetch(`${mock.url}${path}`, { headers: { authorization: 'Bearer some-token' } })
    expect(response.status).toBe(200)
  }
  expect(mock.greeting).not.toContain('curl')
})

it.each([
  ['missing.json', /missing\.json: ENOENT/],
  ['package.json', /package\.json: the contract must be OpenAPI 3\.1/],
])('fails to start with the contract %s', async (file, reason) => {
  const { code, stderr } = await run('--port', '0', '--contract', file)
  expect(code).toBe(1)
  expect(stderr).toMatch(reason)
})

it('escapes control characters of a contract in its message', async () => {
  const file = join(folder, 'contract.json')
  writeFileSync(file, '\u001b[2J\u009b')
  const { code, stderr } = await run('--port', '0', '--contract', file)
  expect(code).toBe(1)
  expect(stderr).toContain(String.raw`\u001b[2J\u009b`)
})

it.each([['--prot'], ['--port', '65536'], ['4010']])('refuses the flags %s %s', async (...flags) => {
  const { code, stdout, stderr } = await run(...flags)
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain('--port N')
})

it('explains itself', async () => {
  expect(await run('--help')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('--contract FILE'),
  })
  expect(await run('--version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  })
})

async function start(...flags: string[]) {
  const child = launch('--port', '0', ...flags)
  const stderr = text(child.stderr)
  const [first] = await once(child.stdout, 'data')
  const rest = text(child.stdout)
  const greeting = String(first)
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const [code] = await once(child, 'exit')
    return { code, stdout: greeting + (await rest), stderr: await stderr }
  }
  return { greeting, url: /http:[^,\s]+/.exec(greeting)?.[0] ?? '', stop }
}

/** Runs a command that ends by itself, in this process. */
async function run(...flags: string[]) {
  const [stdout, stderr] = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockReturnValue(true),
  )
  const code = await main(flags)
  const [out, err] = [stdout, stderr].map((it) => it?.mock.calls.map(([text]) => text).join(''))
  vi.restoreAllMocks()
  return { code, stdout: out, stderr: err }
}

function launch(...flags: string[]) {
  const cli = join(import.meta.dirname, '../src/cli.ts')
  const cwd = join(import.meta.dirname, '..')
  const child = spawn(process.execPath, [cli, ...flags], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  return child
}
