import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unpacked } from '@partner-payments/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unpacked-'))
})
afterEach(() => rm(folder, { recursive: true }))

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'unpacks one complete Chromium for concurrent callers, and leaves nothing else',
  async () => {
    const first = unpacked(folder)
    await expect
      .poll(() => readdir(folder, { recursive: true }))
      .toContainEqual(expect.stringMatching(/\/chromium$/))
    const second = unpacked(folder)
    const versions = await Promise.all([first, second].map(async (path) => versionOf(await path)))
    expect(versions).toEqual(Array(2).fill(expect.stringMatching(/\d+\.\d+/)))
    expect(await readdir(folder)).toHaveLength(1)
  },
)

async function versionOf(executable: string): Promise<string> {
  return (await promisify(execFile)(executable, ['--version'])).stdout
}
