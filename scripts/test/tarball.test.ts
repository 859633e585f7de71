import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { runTurbo } from '../turbo.ts'
import { Consumer } from './consumer.ts'
import { ROOT, tarballIn, testContents } from './tarballs.ts'

// The command line contains most of the other packages. The nightly tests pack and install each.
const folder = mkdtempSync(join(tmpdir(), 'tarball-'))
const cli = tarballIn(folder, 'cli')

beforeAll(async () => {
  expect(await runTurbo(['run', 'emit', `--filter=${cli.name}`])).toBe(0)
  const pnpm = process.env.npm_execpath ?? 'pnpm'
  execFileSync(pnpm, ['pack', '--pack-destination', folder], {
    cwd: join(ROOT, 'packages/cli'),
    stdio: 'pipe',
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

testContents(cli)

it('serves a sandbox where it is installed alone, checks it, triggers an event, and shows an agent the docs', async () => {
  const consumer = new Consumer()
  onTestFinished(() => consumer.remove())
  consumer.link(cli)
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
