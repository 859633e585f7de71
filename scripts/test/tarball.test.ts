import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runTurbo } from '../turbo.ts'
import { Consumer } from './consumer.ts'
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
afterAll(async () => {
  await consumer.remove()
  rmSync(folder, { recursive: true, force: true })
})

testContents(cli)

it('serves a sandbox where it is installed alone, checks it, triggers an event, and shows an agent the docs', async () => {
  const url = await consumer.serve('partner-payments sandbox --port 0 --memory')
  const run = (args: string, input = '') =>
    consumer.command(`partner-payments ${args} --target ${url}`, input)
  expect(await run('trigger qrcode.paid')).toContain('CONCLUIDA')
  const flags = '--kind sandbox --only examples --client-key partner --client-secret secret'
  expect(await run(`check ${flags}`)).toContain(url)
  const params = { name: 'read_page', arguments: { path: 'guides/errors.md' } }
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  expect(await run('mcp', `${request}\n`)).toContain('# Errors')
})

it('is installed by an action with inputs that are options of a command', async () => {
  const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'))
  const { command, options, tarball, ...inputs } = action.inputs
  const helpOfCheck = await consumer.command('partner-payments check --help')
  const helpOfSandbox = await consumer.command('partner-payments sandbox --help')
  const help = helpOfCheck + helpOfSandbox
  expect(Object.keys(inputs).filter((name) => !help.includes(`--${name} `))).toEqual([])
})

describe('the Dockerfile, whose commands run here without a container', () => {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const images = text.matchAll(/HEALTHCHECK .*CMD (.*)\nCMD (.*)/g)
  const commands = Array.from(images, ([, check = '', command = '']) => ({
    command: JSON.parse(command) as string[],
    check: JSON.parse(check) as string[],
  }))

  it('has no finding of a linter', () => {
    expect(validate(text)).toEqual([])
    expect(validate(text.replace('USER', 'USERS'))).toHaveLength(1)
  })

  it.each(commands)(
    'starts a healthy server by $command',
    async ({ command, check: [, ...check] }) => {
      const args = command.join(' ').replace('/data', consumer.folder)
      const url = await consumer.serve(`partner-payments ${args} --port 0`)
      const healthy = check.map((arg) => arg.replace(/http:\/\/127\.0\.0\.1:\d+/, url))
      expect(spawnSync(process.execPath, healthy)).toMatchObject({ status: 0 })
      expect(commands).toHaveLength(2)
    },
  )
})
