import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Program } from '@partner-payments/programs'
import type { Evidence } from '@partner-payments/spec/answer'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { copyRepository } from '../loop/repository.ts'
import { differences } from '../loop/services.ts'
import { listen } from '../services/listen.ts'
import { openService } from '../services/service.ts'

/** Copied once, since other tests of the night pack the packages of the repository. */
let original: ReturnType<typeof copyRepository>
beforeAll(() => {
  original = copyRepository()
})
afterAll(() => original.remove())

/**
 * A repository whose contract is answered, and whose checker then knows the answers. Each test has
 * its own, since the build and the generated client keep the answers, too.
 */
let copy: ReturnType<typeof copyRepository>
beforeEach(() => {
  copy = copyRepository(original.root)
})
afterEach(() => copy.remove())

const folder = mkdtempSync(join(tmpdir(), 'loop-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each(differences)(
  'a check, its answers, a build and a second check close for $id',
  async ({ id, service, answers, near = [], unseen = [], names = [] }) => {
    const first = join(folder, `${id}.1.json`)
    const second = join(folder, `${id}.2.json`)
    const opened = await openService(service)
    const server = await listen(withoutMarker(opened.fetch))
    try {
      await check(server.url, first)
      const found = contradictedIn(first)
      expect(found).toEqual(expect.arrayContaining([...answers]))

      await node('scripts/answer.ts', first, '--apply', '--spec', join(copy.root, 'spec'))
      const unanswered = answers.filter((question) => basisOf(question) !== 'observed')
      expect(unanswered).toEqual(unseen)

      await node('spec/build/cli.ts')
      await check(server.url, second)
      const left = contradictedIn(second).filter((question) => !near.includes(question))
      expect(left).toEqual([])
      if (names.length > 0) await expectTypeErrors(names)
    } finally {
      await server.close()
      await opened.close()
    }
  },
  240_000,
)

/** Expects a type error in each file, once the client is generated from the answered contract. */
async function expectTypeErrors(names: readonly string[]): Promise<void> {
  await node('packages/client/build/generate.ts')
  const compiler = new Program('node_modules/.bin/tsc', ['--singleThreaded'], { cwd: copy.root })
  const { stdout } = await compiler.ended
  const files = new Set(stdout.split('\n').map((line) => line.split('(', 1)[0]))
  expect([...files]).toEqual(expect.arrayContaining([...names]))
}

/** What the answer to a question rests on, in the copy. */
function basisOf(question: string): string | undefined {
  const register: Record<string, { basis: string }> = parse(
    readFileSync(join(copy.root, 'spec/open-questions.yaml'), 'utf8'),
  )
  return register[question]?.basis
}

type Fetch = Parameters<typeof listen>[0]

/** A service that is no sandbox of ours, as far as it says. */
function withoutMarker(fetch: Fetch): Fetch {
  return async (request) => {
    const isMarker = new URL(request.url).pathname.endsWith('/about')
    return isMarker ? new Response(null, { status: 404 }) : fetch(request)
  }
}

/** Runs a program of the copy. */
async function node(program: string, ...args: readonly string[]): Promise<void> {
  const { ended } = new Program(process.execPath, [join(copy.root, program), ...args], {
    cwd: copy.root,
    env: {
      ...process.env,
      CLIENT_KEY: 'partner',
      CLIENT_SECRET: 'secret',
      OTHER_KEY: 'other',
      OTHER_SECRET: 'secret',
    },
  })
  const { code, stderr } = await ended
  expect({ code, stderr }).toMatchObject({ code: 0 })
}

function check(url: string, evidence: string): Promise<void> {
  const service = ['--target', url, '--kind', 'sandbox', '--disposable']
  return node('packages/conformance/src/cli.ts', ...service, '--report', `evidence=${evidence}`)
}

function contradictedIn(file: string): string[] {
  const { questions }: Evidence = JSON.parse(readFileSync(file, 'utf8'))
  const contradicted = Object.entries(questions).filter(
    ([, { verdict }]) => verdict === 'contradicted',
  )
  return contradicted.map(([question]) => question)
}
