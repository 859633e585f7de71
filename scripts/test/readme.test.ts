import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { freePort } from '@partner-payments/programs'
import { afterAll, expect, it } from 'vitest'
import { blocksOf, Clone, commentOf } from './clone.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const text = readFileSync(join(ROOT, 'README.md'), 'utf8')
const [dev = '', curls = '', program = '', tarballs = '', webhook = '', test] = blocksOf(text)

const clone = new Clone()
afterAll(() => clone.remove())

it('works in the order of the page, on a clean clone with nothing else built', async () => {
  const [docsPort, mockPort, sandboxPort] = await Promise.all([freePort(), freePort(), freePort()])
  const docs = `http://127.0.0.1:${docsPort}`
  const mock = `http://127.0.0.1:${mockPort}`
  const sandbox = `http://127.0.0.1:${sandboxPort}`
  const here = (block: string) => block.replaceAll('http://127.0.0.1:4010', mock)

  const flags = `--docs-port ${docsPort} --mock-port ${mockPort} --sandbox-port ${sandboxPort}`
  const running = clone.start(`${dev.trim()} ${flags}`)
  await running.printed(/Ctrl-C stops/)
  expect(await clone.run(here(curls))).toMatch(/"access_token":.*"owner_name":"Beltrana de Tal"/s)

  expect(await clone.runProgram(text, here(program))).toContain(`${commentOf(program)}\n`)

  // The docs, the form “Try it” and the page of the sandbox link to each other.
  const { headers } = await fetch(`${docs}/sandbox.html`, { redirect: 'manual' })
  expect(headers.get('location')).toBe(sandbox)
  const state = await (await fetch(`${sandbox}/_sandbox/state`)).json()
  expect(state).toMatchObject({
    docs: { home: `${docs}/`, form: `${docs}/operations/createTransfer.html#try-it` },
  })

  await running.stop('SIGINT')
  for (const url of [docs, mock, sandbox]) await expect(fetch(url)).rejects.toThrow()
})

it('has these blocks, of which the last three are not run here', () => {
  expect(blocksOf(text)).toHaveLength(6)
  expect(tarballs).toContain('.tgz')
  expect(webhook).toMatch(/ listen\n.* trigger transfer\.settled\n/)
  expect(test).toBe('npx -y pnpm@12 test\n')
})
