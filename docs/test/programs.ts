import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const standIns = fileURLToPath(new URL('bin', import.meta.url))

export const hasPython = execute('python3', ['--version']).then(
  () => true,
  () => false,
)

/** Where programs run: variables of their environment, and how far their clock is ahead. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string>>
  readonly daysAhead?: number
}

/** Runs commands in one shell, and returns what they print. */
export async function runShell(sources: readonly string[], at: Surroundings): Promise<string> {
  const { stdout } = await execute('sh', ['-c', `set -e\n${sources.join('')}`], {
    env: {
      ...process.env,
      ...at.env,
      TZ: 'UTC',
      // Its `date` is ahead by these days.
      PATH: `${standIns}:${process.env.PATH}`,
      DAYS_AHEAD: String(at.daysAhead ?? 0),
    },
  })
  return stdout
}

/** One process for all programs: each would take a third of a second to start. */
const PYTHON = `
import datetime, json, sys
# The stand-in comes last, so that the real httpx is taken.
sys.path.append(sys.argv[1])

class date(datetime.date):
    @classmethod
    def today(cls):
        return datetime.date.fromordinal(super().today().toordinal() + int(sys.argv[3]))

datetime.date = date
for it in json.loads(sys.argv[2]):
    exec(it, {})
`

/** Runs programs in one process of Python, and returns what they print. */
export async function runPython(sources: readonly string[], at: Surroundings): Promise<string> {
  const args = ['-c', PYTHON, standIns, JSON.stringify(sources), String(at.daysAhead ?? 0)]
  const { stdout } = await execute('python3', args, {
    env: { ...process.env, ...at.env, TZ: 'UTC', PYTHONDONTWRITEBYTECODE: '1' },
  })
  return stdout
}
