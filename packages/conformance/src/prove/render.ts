import type { MechanicalFault } from './fault.ts'
import type { Proof, Tried } from './prove.ts'

/**
 * A proof for people: the share, what was not caught with what to do, and what was not tried.
 *
 * @example
 * console.log(renderProof(await prove(options)))
 */
export function renderProof(proof: Proof): string {
  const count = (outcome: Tried['outcome']) => proof.tried.filter((it) => it.outcome === outcome).length
  const percent = (proof.share * 100).toFixed(1)
  const escaped = proof.tried.filter(({ outcome }) => outcome !== 'killed')
  return [
    `${count('killed')} of ${proof.tried.length} faults are named by their law (${percent} %), ${count('noticed')} by another law, ${count('missed')} by none.`,
    `The contract has ${proof.drawn} faults: ${proof.reachable} can show here, ${proof.unreached.length} are of statuses that were never answered, ${proof.equivalent.length} make no difference.`,
    ...(escaped.length > 0 ? ['', ...table(escaped)] : []),
    ...(proof.unreached.length > 0 ? ['', `Never answered: ${statusesOf(proof.unreached).join(', ')}.`] : []),
    ...(proof.findings.length > 0
      ? ['', `Found without any fault, and not counted: ${proof.findings.map(({ id }) => id).join(', ')}.`]
      : []),
  ].join('\n')
}

function table(escaped: readonly Tried[]): string[] {
  const rows = escaped.map((it) => [
    it.outcome,
    it.fault.operation,
    it.fault.describe,
    it.fault.contract,
    adviceOn(it),
  ])
  const all = [['outcome', 'operation', 'what the service does', 'contract', 'what to do'], ...rows]
  const widths = [0, 1, 2, 3].map((i) => Math.max(...all.map((row) => row[i]?.length ?? 0)))
  return all.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))
}

function adviceOn({ fault, outcome, foundBy, planted }: Tried): string {
  const laws = fault.laws.join(' or ')
  if (planted === 0) return 'Not planted this time: it shows in cases that are not the same in every run.'
  if (outcome === 'noticed') return `Expected ${laws}; ${foundBy.join(', ')} found it.`
  return fault.kind === 'check'
    ? `Give values by which the request is accepted, so that ${laws} can be judged.`
    : `Let ${laws} run on this operation.`
}

function statusesOf(faults: readonly MechanicalFault[]): string[] {
  const all = faults.map(({ operation, plant }) =>
    'status' in plant ? `${operation} ${plant.status}` : operation,
  )
  return [...new Set(all)]
}
