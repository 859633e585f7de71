import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const WORKFLOWS = new URL('../../.github/workflows/', import.meta.url)

const workflows = readdirSync(WORKFLOWS).map((file) => readFileSync(new URL(file, WORKFLOWS), 'utf8'))

it('pins every action of the workflows by its commit, with its version in a comment', () => {
  const lines = workflows.flatMap((text) => text.split('\n')).filter((line) => /^\s*(- )?uses:/.test(line))
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((line) => !/@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})

it('uploads every SARIF report that a job writes, with the permission for it', () => {
  const jobs = workflows.flatMap((text) => text.split(/^(?= {2}[\w-]+:$)/m))
  const writing = jobs.filter((job) => job.includes('sarif='))
  expect(writing.length).toBeGreaterThan(0)
  for (const job of writing) {
    const [, report] = /sarif=([\w.-]+)/.exec(job) ?? []
    expect(job).toContain(`sarif_file: ${report}`)
    expect(job).toMatch(/permissions: .*security-events: write/)
  }
})
