import { cpSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { blocksOf, Clone, commentOf } from '../clone.ts'
import { Terminal } from '../terminal.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const text = readFileSync(join(ROOT, 'README.md'), 'utf8')
const [, , , tarballs = '', webhook = ''] = blocksOf(text)

const clone = new Clone()
afterAll(() => clone.remove())

// What builds least comes first, so that each has what its page builds.

it('signs in at the sandbox and checks it, as their guides say', async () => {
  const [start = '', variables = '', signIn = ''] = blocksOf(guide('sandbox'))
  const [url] = await clone.start(`${start.trim()} --port 0`).printed(ADDRESS)
  const first = variables.replaceAll('http://127.0.0.1:4020', url)
  expect(await clone.run(first + signIn)).toContain('fulano')
  const [target = '', check = ''] = blocksOf(guide('checking-a-service'))
  const checked = await clone.run(target.replace('https://staging.example.com', url) + check)
  expect(checked).toContain('Open questions:')
})

it('pays at the mock, as the guides for beginners say', async () => {
  const [start = '', variables = '', signIn = '', token = '', lookUp = '', pay = '', build = ''] =
    blocksOf(guide('getting-started'))
  const [url] = await clone.start(`${start.trim()} --port 0`).printed(ADDRESS)
  const here = (block: string) => block.replaceAll('http://127.0.0.1:4010', url)
  expect(await clone.run(here(variables) + signIn)).toContain('"access_token"')
  expect(await clone.run(here(variables) + token + lookUp)).toContain('"owner_name"')
  expect(await clone.run(here(variables) + token + pay)).toContain('"settled"')
  expect(await clone.run(here(variables) + build)).toContain('settled')
  const [client = ''] = blocksOf(guide('using-the-client'))
  expect(await clone.runProgram(guide('using-the-client'), here(client))).toContain(
    commentOf(client),
  )
})

it('starts and installs the tarballs, as README.md and the guide of the command line say', async () => {
  const [, pack = ''] = /In a clone, `(.*?)` writes a tarball of every package/.exec(text) ?? []
  await clone.run(pack)
  const elsewhere = new Terminal()
  onTestFinished(() => elsewhere.remove())
  cpSync(join(clone.folder, 'dist'), elsewhere.folder, { recursive: true })
  const [start, install] = tarballs.trim().split('\n')
  const [sameStart = '', others = ''] = blocksOf(guide('command-line'))
  // The guide is for readers who have that Node.
  expect(sameStart.trim()).toBe(start?.replace(' -p node@24', ''))
  const node = process.execPath
  const [url] = await elsewhere.start(`${start} --port 0`, { node }).printed(ADDRESS)
  await elsewhere.run(install ?? '')

  const [listen = '', trigger = ''] = webhook.trim().split('\n')
  const listening = elsewhere.start(`${listen} --target ${url}`, { node })
  await listening.printed(/Ctrl-C removes it/)
  await elsewhere.run(`${trigger} --target ${url}`, { node })
  await listening.printed(/transfer\.settled .*verified/)
  await listening.stop('SIGINT')
  expect(await elsewhere.run(others, { node })).toContain('Usage: partner-payments')
})

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

function guide(name: string): string {
  return readFileSync(join(ROOT, `docs/guides/${name}.md`), 'utf8')
}
