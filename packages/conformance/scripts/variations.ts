// Runs the checker on services that differ from the contract in assumptions only: none of them may get a failure.
//   node scripts/variations.ts [--only ID,...] [--json] [--walk]
// Each one runs in a process of its own. --walk walks through each without the checker instead, which takes a second,
// and shows that it breaks no fact and differs from the sandbox. Exit code 1 where there is a failure.
import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { differences, walk } from '../test/variations/journey.ts'
import { type Measured, measure } from '../test/variations/run.ts'
import { type Variation, variations } from '../test/variations/variations.ts'

const UNMODIFIED: Variation = { id: 'unmodified', says: 'The sandbox itself.', touches: [], service: {} }
const NOTHING: Omit<Measured, 'id' | 'ended'> = {
  requests: 0,
  seconds: 0,
  failures: [],
  wronglyContradicted: [],
  near: [],
  wronglyConfirmed: [],
  notExercised: [],
  notAssessed: [],
}
const LIMITS = { timeout: 1_200_000, maxBuffer: 1e8 }

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'boolean' },
    walk: { type: 'boolean' },
    child: { type: 'string' },
  },
})
const wanted = values.only?.split(',')
// In the order of --only.
const chosen = wanted
  ? variations
      .filter(({ id }) => wanted.includes(id))
      .sort((a, b) => wanted.indexOf(a.id) - wanted.indexOf(b.id))
  : variations
const unknown = wanted?.filter((id) => !variations.some((it) => it.id === id)) ?? []

if (unknown.length > 0) throw new Error(`there is no variation "${unknown.join('", "')}"`)
if (values.child !== undefined) await runOne(values.child)
else if (values.walk) await walkAll()
else await runAll()

async function runOne(id: string): Promise<void> {
  const variation = [UNMODIFIED, ...variations].find((it) => it.id === id)
  if (!variation) throw new Error(`there is no variation "${id}"`)
  console.log(JSON.stringify(await measure(variation)))
  process.exit()
}

async function runAll(): Promise<void> {
  // What no variation can be blamed for shows first.
  const unmodified = await inChild('unmodified')
  const { notAssessed } = unmodified
  const all: Measured[] = []
  console.log(values.json ? JSON.stringify(unmodified) : rendered(unmodified, notAssessed))
  for (const { id } of chosen) {
    const measured = await inChild(id)
    const lost = measured.notAssessed.filter((it) => !notAssessed.includes(it))
    all.push(measured)
    console.log(values.json ? JSON.stringify({ ...measured, notAssessed: lost }) : rendered(measured, lost))
  }
  const sum = (of: (it: Measured) => readonly string[]) => all.reduce((count, it) => count + of(it).length, 0)
  const failing = all.filter(({ failures }) => failures.length > 0).length
  const summary = {
    variations: all.length,
    failing,
    failures: sum((it) => it.failures),
    wronglyContradicted: sum((it) => it.wronglyContradicted),
    near: sum((it) => it.near),
    wronglyConfirmed: sum((it) => it.wronglyConfirmed),
    notExercised: sum((it) => it.notExercised),
    ended: all.filter(({ ended }) => ended.length > 0).length,
  }
  console.log(JSON.stringify(summary))
  process.exitCode = failing > 0 ? 1 : 0
}

async function inChild(id: string): Promise<Measured> {
  const args = ['--max-old-space-size=1500', import.meta.filename, '--child', id]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, LIMITS)
    return JSON.parse(stdout)
  } catch (error) {
    return { ...NOTHING, id, ended: [`broke off: ${String(error).slice(0, 500)}`] }
  }
}

function rendered(it: Measured, lost: readonly string[]): string {
  const lines = {
    ENDED: it.ended,
    FAILURE: it.failures,
    'wrongly contradicted': it.wronglyContradicted,
    'contradicted nearby': it.near,
    'wrongly confirmed': it.wronglyConfirmed,
    'not exercised': it.notExercised,
    [`${lost.length} rules not assessed`]: lost.length > 0 ? [lost.join(' ')] : [],
  }
  const told = Object.entries(lines).flatMap(([name, all]) => all.map((text) => `  ${name}: ${text}`))
  return [`${it.id}: ${it.failures.length} failures, ${it.requests} requests, ${it.seconds} s`, ...told].join(
    '\n',
  )
}

async function walkAll(): Promise<void> {
  const unmodified = await walk({})
  for (const { id, service } of chosen) {
    const journey = await walk(service)
    const lines = differences(unmodified, journey)
    if (journey.broken.length > 0) process.exitCode = 1
    console.log(
      `${id}: ${lines.length} lines differ${journey.broken.map((it) => `\n  BREAKS A FACT: ${it}`).join('')}`,
    )
    if (wanted) console.log(lines.join('\n'))
  }
}
