import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchFolders } from '../watch.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-'))
  mkdirSync(join(folder, 'dist'))
  mkdirSync(join(folder, 'paths'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('calls once for several writes of one save', async () => {
  const onChange = vi.fn(async () => {})
  const watcher = watchFolders([folder], onChange)
  await watcher.ready
  for (const text of ['a', 'b', 'c']) writeFileSync(join(folder, 'paths/keys.yaml'), text)
  await expect.poll(() => onChange).toHaveBeenCalled()
  await sleep(200)
  expect(onChange).toHaveBeenCalledTimes(1)
  await watcher.close()
})

it('does not call for files that a build writes', async () => {
  const onChange = vi.fn(async () => {})
  const watcher = watchFolders([folder], onChange)
  await watcher.ready
  writeFileSync(join(folder, 'dist/openapi.json'), '{}')
  mkdirSync(join(folder, 'dist.next-1'))
  writeFileSync(join(folder, 'dist.next-1/index.html'), '')
  await sleep(200)
  expect(onChange).not.toHaveBeenCalled()
  await watcher.close()
})

it('builds once more for changes during a build, and continues after a failure', async () => {
  const finish: Array<(error?: Error) => void> = []
  const onChange = vi.fn(
    () => new Promise<void>((resolve, reject) => finish.push((error) => (error ? reject(error) : resolve()))),
  )
  const watcher = watchFolders([folder], onChange)
  await watcher.ready
  writeFileSync(join(folder, 'a.yaml'), '1')
  await expect.poll(() => onChange).toHaveBeenCalledTimes(1)
  writeFileSync(join(folder, 'a.yaml'), '2')
  await sleep(200)
  expect(onChange).toHaveBeenCalledTimes(1)
  finish[0]?.(new Error('the first build fails, as this test wants'))
  await expect.poll(() => onChange).toHaveBeenCalledTimes(2)
  finish[1]?.()
  await watcher.close()
})
