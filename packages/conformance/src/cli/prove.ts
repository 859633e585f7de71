import { prove } from '../prove/prove.ts'
import { renderProof } from '../prove/render.ts'
import { codeOfInterruption } from '../report/summary.ts'
import { ownContract } from '../run/own.ts'
import { warningsOf } from './credentials.ts'
import { type Flags, numberOf } from './flags.ts'
import { interruptible } from './interrupt.ts'
import { optionsOf } from './options.ts'
import { tell } from './print.ts'
import { readSpec } from './spec.ts'
import { refuse } from './usage.ts'

/**
 * Says how many mechanical faults this configuration would catch: exit code 1 where one is missed. It sends a run for
 * each fault, so it is not for a live service.
 */
export async function runProof(_: string | undefined, flags: Flags): Promise<number> {
  const spec = await readSpec(flags.spec)
  const options = optionsOf(flags, process.env, spec.contract)
  if (options.target === 'live')
    refuse('prove runs once for each fault, and not against a live service; give --kind sandbox or mock')
  const sample = numberOf('--sample', flags.sample, { min: 1, max: 1_000_000, whole: true }) ?? 300
  for (const warning of warningsOf(flags)) tell(`Warning: ${warning}.`)
  const contract = spec.contract ?? (await ownContract())
  const { signal, done } = interruptible(() => tell('Interrupted: removing what the run made.'))
  try {
    const proof = await prove({ ...options, contract, sample, signal })
    if (signal.aborted) return codeOfInterruption(String(signal.reason))
    process.stdout.write(flags.json ? `${JSON.stringify(proof)}\n` : `${renderProof(proof)}\n`)
    return proof.tried.some(({ outcome }) => outcome === 'noticed' || outcome === 'missed') ? 1 : 0
  } finally {
    done()
  }
}
