import { defaultContract } from '../model/contract-source.ts'
import { type Proof, type ProveOptions, prove } from '../mutation/prove.ts'
import { renderProof } from '../mutation/render-proof.ts'
import type { FaultResult } from '../mutation/try-fault.ts'
import { codeOfInterruption } from '../report/exit-codes.ts'
import { createProofProgress } from '../report/progress.ts'
import { refuse } from './errors.ts'
import type { Flags } from './flags.ts'
import { readRun } from './options.ts'
import { interruptible, log } from './process.ts'

/** Reports which faults this configuration would detect. Exit code 1 if one escapes its rule. */
export async function runProof(_: string | undefined, flags: Flags): Promise<number> {
  const { spec, options } = await readRun(flags)
  if ((options.target ?? 'live') === 'live')
    refuse('prove runs once for each fault, and not against a live service; give --kind sandbox or mock')
  const given = flags.text('sample') ?? '300'
  if (!/^[1-9]\d{0,6}$/.test(given)) refuse(`--sample must be an integer from 1 to 9999999, got "${given}"`)
  const contract = spec.contract ?? (await defaultContract())
  const proof = await proveWithProgress({ ...options, contract, sample: Number(given) })
  process.stdout.write(flags.has('json') ? `${JSON.stringify(proof)}\n` : `${renderProof(proof)}\n`)
  if (proof.interrupted !== undefined) return codeOfInterruption(proof.interrupted)
  return proof.results.some(isEscaped) ? 1 : 0
}

/** May take an hour, so it reports progress, and Ctrl-C ends it early. */
async function proveWithProgress(options: ProveOptions): Promise<Proof> {
  const progress = createProofProgress(process.stderr)
  const began = performance.now()
  let escaped = 0
  const report = (done: number, of: number) =>
    progress.update({ done, of, escaped, ms: performance.now() - began })
  const interrupt = () => {
    progress.end()
    log('Interrupted: removing what the run created.')
  }
  report(0, 0)
  return interruptible(interrupt, (signal) =>
    prove({
      ...options,
      signal,
      onResult(tried, done, of) {
        if (isEscaped(tried)) escaped++
        report(done, of)
      },
    }),
  ).finally(progress.end)
}

/** Whether the fault's own rule did not report it. */
function isEscaped({ outcome }: FaultResult): boolean {
  return outcome === 'noticed' || outcome === 'survived'
}
