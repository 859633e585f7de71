import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'inbox-'))
vi.stubEnv('INBOX', join(folder, 'inbox.db'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A process of its own, which has said that it stands where its program says so. */
async function start(program: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program])
  await once(child.stdout, 'data')
  return child
}

test('keeps an event while another process writes, as a worker of its own does', async () => {
  const { inbox } = await import('../receivers/inbox.ts')
  const other = await start(`
    import { DatabaseSync } from 'node:sqlite'
    const database = new DatabaseSync(process.env.INBOX)
    database.exec('BEGIN IMMEDIATE')
    console.log('locked')
    setTimeout(() => database.exec('COMMIT'), 100)
  `)
  inbox.add('msg_1', '{}')
  expect(inbox.waiting()).toHaveLength(1)
  await once(other, 'exit')
})

test('works on no event that a worker in another process has begun', async () => {
  const { inbox } = await import('../receivers/inbox.ts')
  const { workOff } = await import('../receivers/worker.ts')
  inbox.add('msg_taken', '{ "type": "taken" }')
  inbox.add('msg_free', '{ "type": "free" }')
  const other = await start(`
    import { inbox } from '${new URL('../receivers/inbox.ts', import.meta.url)}'
    console.log(inbox.begin('msg_taken', 60_000))
  `)
  await once(other, 'exit')
  const seen: string[] = []
  await workOff(async ({ type }) => void seen.push(type))
  expect(seen).toContain('free')
  expect(seen).not.toContain('taken')
})
