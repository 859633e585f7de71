import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { IS_CAMPAIGN } from '@partner-payments/campaign'
import { afterAll, expect, it } from 'vitest'
import { findPorts } from '../prepare.ts'
import { Clone } from './clone.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const text = readFileSync(join(ROOT, 'README.md'), 'utf8')
const [dev = '', curls = '', program = '', test, tarballs = ''] = blocksOf(text)

const clone = new Clone()
afterAll(() => clone.remove())

it('works in the order of the page, on a clean clone with nothing else built', async () => {
  const ports = (await findPorts([0, 0, 0])).map(String)
  const [docs, mock, sandbox] = ports.map((port) => `http://127.0.0.1:${port}`)
  const here = (block: string) => block.replaceAll('http://127.0.0.1:4010', mock ?? '')

  const flags = ports.map((port, index) => `--${['docs', 'mock', 'sandbox'][index]}-port ${port}`)
  const running = await clone.serve(`${dev.trim()} ${flags.join(' ')}`, /Ctrl-C stops/)
  expect(await clone.run(here(curls))).toMatch(/"access_token":.*"owner_name":"Beltrana de Tal"/s)

  expect(await clone.runProgram(text, here(program))).toContain(`${commentOf(program)}\n`)

  // The docs, the console and the page of the sandbox link to each other.
  const { headers } = await fetch(`${docs}/sandbox.html`, { redirect: 'manual' })
  expect(headers.get('location')).toBe(sandbox)
  const state = await (await fetch(`${sandbox}/_sandbox/state`)).json()
  expect(state).toMatchObject({ docs: { home: `${docs}/`, console: `${docs}/try.html` } })

  await running.stop()
  for (const url of [docs, mock, sandbox]) await expect(fetch(url ?? '')).rejects.toThrow()
})

it('has these blocks, of which the test command is not run here', () => {
  expect(blocksOf(text)).toHaveLength(5)
  expect(test).toBe('npx -y pnpm@12 test\n')
  expect(tarballs).toContain('.tgz')
})

/** What builds least comes first, so that each has what its page builds. */
const itInCampaign = IS_CAMPAIGN ? it : () => {}

itInCampaign('signs in at the sandbox and checks it, as their guides say', async () => {
  const [start = '', variables = '', signIn = ''] = blocksOf(guide('sandbox'))
  const { text: greeting } = await clone.serve(`${start.trim()} --port 0`, ADDRESS)
  const url = ADDRESS.exec(greeting)?.[0] ?? ''
  const first = variables.replaceAll('http://127.0.0.1:4020', url)
  expect(await clone.run(first + signIn)).toContain('fulano')
  const [target = '', check = ''] = blocksOf(guide('checking-a-service'))
  const checked = await clone.run(target.replace('https://staging.example.com', url) + check)
  expect(checked).toContain('Open questions:')
})

itInCampaign('pays at the mock, as the guides for beginners say', async () => {
  const [start = '', variables = '', token = '', build = ''] = blocksOf(guide('getting-started'))
  const { text: greeting } = await clone.serve(`${start.trim()} --port 0`, ADDRESS)
  const here = (block: string) => block.replaceAll('http://127.0.0.1:4010', ADDRESS.exec(greeting)?.[0] ?? '')
  expect(await clone.run(here(variables) + sample('signIn'))).toContain('"access_token"')
  expect(await clone.run(here(variables) + token + sample('guideCheckKey'))).toContain('"owner_name"')
  expect(await clone.run(here(variables) + build)).toContain('settled')
  const [client = ''] = blocksOf(guide('using-the-client'))
  expect(await clone.runProgram(guide('using-the-client'), here(client))).toContain(commentOf(client))
})

itInCampaign(
  'starts and installs the tarballs, as README.md and the guide of the command line say',
  async () => {
    const [, pack = ''] = /In a clone, `(.*?)` writes a tarball of every package/.exec(text) ?? []
    await clone.run(pack)
    const folder = clone.folderOfTarballs()
    const [start, install] = tarballs.trim().split('\n')
    const [sameStart = '', others = ''] = blocksOf(guide('command-line'))
    expect(sameStart.trim()).toBe(start)
    await clone.serve(`${start} --port 0`, ADDRESS, { folder, node: process.execPath })
    await clone.run(install ?? '', { folder })
    expect(await clone.run(others, { folder, node: process.execPath })).toContain('Usage: partner-payments')
  },
)

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

function guide(name: string): string {
  return readFileSync(join(ROOT, `docs/guides/${name}.md`), 'utf8')
}

function sample(name: string): string {
  return readFileSync(join(ROOT, `docs/samples/${name}.sh`), 'utf8')
}

/** What the first line of a program that has a comment prints. */
function commentOf(program: string): string {
  return /console\.log\(.*\) \/\/ (.*)/.exec(program)?.[1] ?? ''
}

function blocksOf(page: string): string[] {
  return [...page.matchAll(/^```(?:sh|ts)\n(.*?)^```/gms)].map(([, block = '']) => block)
}
