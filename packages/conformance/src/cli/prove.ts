import { ownContract } from '../model/own.ts'
import { type Proof, type ProveOptions, prove } from '../mutation/prove.ts'
import { renderProof } from '../mutation/render.ts'
import type { Tried } from '../mutation/try-fault.ts'
import { createProofProgress } from '../report/progress.ts'
import { codeOfInterruption } from '../report/summary.ts'
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
  const proof = await proved({ ...options, contract, sample })
  process.stdout.write(flags.json ? `${JSON.stringify(proof)}\n` : `${renderProof(proof)}\n`)
  if (proof.interrupted !== undefined) return codeOfInterruption(proof.interrupted)
  return proof.tried.some(isEscaped) ? 1 : 0
}

/** A proof that Ctrl-C ends early, with progress: it may take an hour. */
async function proved(options: ProveOptions): Promise<Proof> {
  const progress = createProofProgress(process.stderr)
  const began = performance.now()
  let escaped = 0
  const { signal, done } = interruptible(() => {
    progress.end()
    tell('Interrupted: removing what the run made.')
  })
  progress.update({ done: 0, of: 0, escaped, ms: 0 })
  try {
    return await prove({
      ...options,
      signal,
      onTried(tried, done, of) {
        if (isEscaped(tried)) escaped++
        progress.update({ done, of, escaped, ms: performance.now() - began })
      },
    })
  } finally {
    progress.end()
    done()
  }
}

/** Whether the rule that is meant to name a fault did not. */
function isEscaped({ outcome }: Tried): boolean {
  return outcome === 'noticed' || outcome === 'missed'
}
