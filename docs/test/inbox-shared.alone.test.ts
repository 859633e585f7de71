import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'inbox-'))
vi.stubEnv('INBOX', join(folder, 'inbox.db'))
afterAll(() => rmSync(folder, { recursive: true }))

test('keeps an event while another process writes, as a worker of its own does', async () => {
  const { inbox } = await import('../receivers/inbox.ts')
  const program = `
    import { DatabaseSync } from 'node:sqlite'
    const database = new DatabaseSync(process.env.INBOX)
    database.exec('BEGIN IMMEDIATE')
    console.log('locked')
    setTimeout(() => database.exec('COMMIT'), 100)
  `
  const other = spawn(process.execPath, ['--input-type=module', '-e', program])
  await once(other.stdout, 'data')
  inbox.add('msg_1', '{}')
  expect(inbox.waiting()).toHaveLength(1)
  await once(other, 'exit')
})
