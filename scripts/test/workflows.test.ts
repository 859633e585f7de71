import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const WORKFLOWS = new URL('../../.github/workflows/', import.meta.url)
const FORMS = new URL('../../.github/ISSUE_TEMPLATE/', import.meta.url)

const workflows = readdirSync(WORKFLOWS).map((file) => read(`.github/workflows/${file}`))

it('pins every action of the workflows by its commit, with its version in a comment', () => {
  const lines = workflows.flatMap((text) => text.split('\n'))
  const uses = lines.filter((line) => /^\s*(- )?uses:/.test(line))
  expect(uses.length).toBeGreaterThan(5)

  const isOwnAction = (line: string) => line.endsWith(' uses: ./')
  const isPinned = (line: string) => /@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line)
  expect(uses.filter((line) => !isOwnAction(line) && !isPinned(line))).toEqual([])
})

it('sets Node up without the cache, which fails where the pnpm of package.json is not installed', () => {
  const texts = [
    ...workflows,
    read('action.yml'),
    read('packages/conformance/examples/staging.yml'),
  ]
  const steps = texts.flatMap(
    (text) => text.match(/uses: actions\/setup-node.*\n(?: *#.*\n)?.*/g) ?? [],
  )
  expect(steps.length).toBeGreaterThan(5)
  const hasNoCache = (step: string) => /with: \{ .*package-manager-cache: false/.test(step)
  expect(steps.filter((step) => !hasNoCache(step))).toEqual([])
})

it('publishes without a token, and names no registry', () => {
  expect(workflows.join()).not.toMatch(/registry-url|NODE_AUTH_TOKEN|npmjs/)
})

it('uploads every SARIF report that a job writes, with the permission for it', () => {
  const jobs = workflows.flatMap((text) => text.split(/^(?= {2}[\w-]+:$)/m))
  const writing = jobs.filter((job) => job.includes('command: check'))
  expect(writing.length).toBeGreaterThan(0)
  for (const job of writing) {
    expect(job).toMatch(/sarif_file: '\$\{\{ steps\.check\.outputs\.sarif \}\}'/)
    expect(job).toMatch(/permissions: .*security-events: write/)
  }
})

function read(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
}

it.each(readdirSync(FORMS))('has a form for issues in %s that GitHub accepts', (file) => {
  const form = parse(readFileSync(new URL(file, FORMS), 'utf8'))
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
  const questions = form.body.filter(({ type }: { type: string }) => type !== 'markdown')
  expect(questions.length).toBeGreaterThan(1)
  expect(new Set(questions.map(({ id }: { id: string }) => id)).size).toBe(questions.length)
  for (const { type, id, attributes } of questions) {
    expect({ type, id, ...attributes }).toMatchObject({
      type: expect.stringMatching(/^(input|textarea|dropdown)$/),
      id: expect.stringMatching(/^[\w-]+$/),
      label: expect.any(String),
    })
    // Only a dropdown has options.
    const { options = [] } = attributes
    expect(new Set(options).size).toBe(options.length)
  }
})
