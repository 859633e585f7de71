import {
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@partner-payments/programs'
import { afterEach, expect, it, vi } from 'vitest'
import { initiationLifetimeMs } from '../../../packages/sandbox/src/behaviour.ts'
import { startDev } from '../../start-dev.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Timeout for builds next to other tests on a busy machine. */
const SLOW = { timeout: 90_000 }

const started: Array<() => unknown> = []
afterEach(async () => {
  for (const stop of started.splice(0).reverse()) await stop()
})

it('rebuilds the mock and the docs after an edit, and keeps both where the edit is wrong', async () => {
  const { spec, docs } = copyOfFolders()
  const messages: string[] = []
  const ports = { mockPort: 0, sandboxPort: 0, docsPort: await freePort() }
  const dev = await startDev({ spec, docs, ...ports, say: (text) => messages.push(text) })
  started.push(() => dev.close())

  const examples = join(spec, 'examples/keys.yaml')
  const right = readFileSync(examples, 'utf8')
  // Git and many editors replace a file by renaming a new one.
  for (const name of ['Fulana de Tal', 'Sicrana de Tal']) {
    writeFileSync(`${examples}.new`, right.replaceAll('Beltrana de Tal', name))
    renameSync(`${examples}.new`, examples)
    await vi.waitFor(async () => expect(await ownerName(dev.mock)).toBe(name), SLOW)
  }
  const builds = () => messages.filter((text) => text.includes('Built again'))
  await vi.waitFor(() => expect(builds()).toHaveLength(2), SLOW)
  await sleep(500)
  expect(builds(), 'a build starts no other').toHaveLength(2)
  expect(await ownerName(dev.mock, '/pix/key')).toBe('Sicrana de Tal')
  expect(await (await fetch(`${dev.docs}/reference.json`)).text()).toContain('Sicrana de Tal')

  // The sandbox follows spec/behaviour, too.
  const keys = join(spec, 'behaviour/keys.yaml')
  writeFileSync(keys, readFileSync(keys, 'utf8').replace('lifetime: PT30M', 'lifetime: PT1M'))
  await vi.waitFor(() => expect(initiationLifetimeMs()).toBe(60_000), SLOW)

  writeFileSync(examples, right.replace("ispb: '99999029'", 'ispb: 99999029'))
  await expect.poll(() => messages.at(-1)).toContain('Not built')
  expect(await ownerName(dev.mock)).toBe('Sicrana de Tal')
})

async function ownerName(mock: string, path = '/mobile-bff/v1/pix/dict/check/'): Promise<string> {
  const response = await fetch(mock + path, {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    body: JSON.stringify({ dict_key: 'beltrana@example.com' }),
  })
  const { owner_name } = (await response.json()) as { owner_name: string }
  return owner_name
}

/** Editable copies of spec/ and docs/. */
function copyOfFolders() {
  const folder = mkdtempSync(join(tmpdir(), 'dev-'))
  started.push(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['spec', 'docs']) {
    const filter = (source: string) => basename(source) !== 'node_modules'
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter })
    symlinkSync(join(ROOT, name, 'node_modules'), join(folder, name, 'node_modules'))
  }
  return { spec: join(folder, 'spec'), docs: join(folder, 'docs') }
}
