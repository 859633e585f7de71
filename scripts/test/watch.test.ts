import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchFolders } from '../watch.ts'

const onChange = vi.fn<() => Promise<void>>()
let folder: string
let watcher: ReturnType<typeof watchFolders>
beforeEach(async () => {
  onChange.mockReset().mockResolvedValue()
  folder = mkdtempSync(join(tmpdir(), 'watch-'))
  for (const name of ['dist', 'paths']) mkdirSync(join(folder, name))
  watcher = watchFolders([folder], onChange)
  await watcher.ready
})
afterEach(async () => {
  await watcher.close()
  rmSync(folder, { recursive: true })
})

it('calls once for several writes of one save', async () => {
  for (const text of ['a', 'b', 'c']) writeFileSync(join(folder, 'paths/keys.yaml'), text)
  await expect.poll(() => onChange).toHaveBeenCalled()
  await sleep(200)
  expect(onChange).toHaveBeenCalledTimes(1)
})

it('does not call for files that a build writes', async () => {
  writeFileSync(join(folder, 'dist/openapi.json'), '{}')
  mkdirSync(join(folder, 'dist.next-1'))
  writeFileSync(join(folder, 'dist.next-1/index.html'), '')
  await sleep(200)
  expect(onChange).not.toHaveBeenCalled()
})

it('builds once more for changes during a build, and continues after a failure', async () => {
  const { promise, reject } = Promise.withResolvers<void>()
  onChange.mockReturnValueOnce(promise)
  writeFileSync(join(folder, 'a.yaml'), '1')
  await expect.poll(() => onChange).toHaveBeenCalledTimes(1)
  writeFileSync(join(folder, 'a.yaml'), '2')
  await sleep(200)
  expect(onChange).toHaveBeenCalledTimes(1)
  reject(new Error('the first build fails, as this test wants'))
  await expect.poll(() => onChange).toHaveBeenCalledTimes(2)
})
