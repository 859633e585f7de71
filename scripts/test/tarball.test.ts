import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTurbo } from '../turbo.ts'
import { Consumer, machineNode } from './consumer.ts'
import { Runner } from './runner.ts'
import { ROOT, tarballIn, testContents } from './tarballs.ts'

// The command line contains most of the other packages. The nightly tests pack and install each.
const folder = mkdtempSync(join(tmpdir(), 'tarball-'))
const cli = tarballIn(folder, 'cli')
const consumer = new Consumer()

beforeAll(async () => {
  expect(await runTurbo(['run', 'emit', `--filter=${cli.name}`])).toBe(0)
  const pnpm = process.env.npm_execpath ?? 'pnpm'
  execFileSync(pnpm, ['pack', '--pack-destination', folder], {
    cwd: join(ROOT, 'packages/cli'),
    stdio: 'pipe',
  })
  consumer.link(cli)
})
afterAll(() => {
  consumer.remove()
  rmSync(folder, { recursive: true, force: true })
})

testContents(cli)

it('serves a sandbox where it is installed alone, checks it, triggers an event, and shows an agent the docs', async () => {
  const url = await consumer.serve('partner-payments', ['sandbox', '--port', '0', '--memory'])
  const run = (...args: string[]) => consumer.command('partner-payments', args)
  expect(await run('trigger', 'qrcode.paid', '--target', url)).toContain('CONCLUIDA')
  const flags = ['--kind', 'sandbox', '--only', 'examples', '--client-key', 'partner']
  expect(await run('check', '--target', url, ...flags, '--client-secret', 'secret')).toContain(url)
  const params = { name: 'read_page', arguments: { path: 'guides/errors.md' } }
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const shown = await consumer.command('partner-payments', ['mcp', '--target', url], `${request}\n`)
  expect(shown).toContain('# Errors')
})

describe('the action, without a clone', () => {
  const release = createServer((request, response) => {
    const [, version] = /-([\d.]+)\.tgz$/.exec(cli.file) ?? []
    const path = `/owner/repository/releases/download/v${version}/${basename(cli.file)}`
    if (request.url === path) response.end(readFileSync(cli.file))
    else response.writeHead(404).end()
  })
  let runner: Runner
  let url: string

  beforeAll(async () => {
    await once(release.listen(0, '127.0.0.1'), 'listening')
    runner = new Runner(`http://127.0.0.1:${(release.address() as AddressInfo).port}`)
  })
  afterAll(() => {
    runner.remove()
    release.close()
  })

  it('installs the tarball of the release, and starts a sandbox with its options', async () => {
    const options = '--settle-after 0\n--no-rate-limits\n'
    const { text, outputs } = await runner.use({ command: 'sandbox', port: '0', options })
    expect(text).toContain('The sandbox runs on')
    url = outputs.url
    expect((await fetch(`${url}/_sandbox/ready`)).status).toBe(200)
    // The other steps of the job keep their Node.
    expect(runner.path[0]).toBe(dirname(machineNode))
  })

  it('checks a service into the job summary and SARIF, with the credentials of its inputs', async () => {
    const inputs = { command: 'check', target: url, kind: 'sandbox', only: 'examples', tarball: cli.file }
    const checked = await runner.use({ ...inputs, 'client-key': 'partner', 'client-secret': 'secret' })
    expect(checked).toMatchObject({ code: 0, summary: expect.stringContaining('## ✅') })
    expect(JSON.parse(readFileSync(checked.outputs.sarif, 'utf8'))).toMatchObject({ version: '2.1.0' })
    const wrong = await runner.use({ ...inputs, 'client-key': 'partner', 'client-secret': 'nope' })
    expect(wrong).toMatchObject({ code: 2, text: expect.stringContaining('401') })
  })

  it.each([
    [{ command: 'serve' }, 'command must be sandbox, mock or check, got "serve"'],
    [{ command: 'mock', options: '--bogus' }, 'mock did not start:.*--bogus'],
  ])('fails with an annotation for %j', async (inputs, message) => {
    const { code, text } = await runner.use(inputs)
    expect(code).toBe(1)
    expect(text).toMatch(new RegExp(`^::error::${message}`, 'm'))
  })

  it('has inputs that are options of a command', async () => {
    const { command, options, tarball, ...inputs } = runner.action.inputs
    const help = await Promise.all(
      ['check', 'sandbox'].map((it) => consumer.command('partner-payments', [it, '--help'])),
    )
    expect(Object.keys(inputs).filter((name) => !help.join().includes(`--${name} `))).toEqual([])
  })
})

describe('the Dockerfile, whose commands run here without a container', () => {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const commands = [...text.matchAll(/HEALTHCHECK .*CMD (.*)\nCMD (.*)/g)].map(
    ([, check = '', command = '']) => {
      return { command: JSON.parse(command) as string[], check: JSON.parse(check) as string[] }
    },
  )

  it('has no finding of a linter', () => {
    expect(validate(text)).toEqual([])
    expect(validate(text.replace('USER', 'USERS'))).toHaveLength(1)
  })

  it.each(commands)(
    'starts a healthy server by $command',
    async ({ command: [name = '', ...flags], check: [, ...check] }) => {
      const args = flags.map((it) => it.replace('/data', consumer.folder))
      const url = await consumer.serve('partner-payments', [name, ...args, '--port', '0'])
      const healthy = check.map((it) => it.replace(/http:\/\/127\.0\.0\.1:\d+/, url))
      expect(spawnSync(process.execPath, healthy)).toMatchObject({ status: 0 })
      expect(commands).toHaveLength(2)
    },
  )
})
