import type { MechanicalFault } from './fault.ts'
import type { Proof } from './prove.ts'
import type { FaultResult } from './try-fault.ts'

/**
 * Renders a proof as text: the share, the surviving faults with advice, and what was not reached.
 *
 * @example
 * console.log(renderProof(await prove(options)))
 */
export function renderProof(proof: Proof): string {
  const count = (outcome: FaultResult['outcome']) =>
    proof.results.filter((it) => it.outcome === outcome).length
  const percent = (proof.share * 100).toFixed(1)
  const escaped = proof.results.filter(({ outcome }) => outcome !== 'killed')
  return [
    ...interruptedLine(proof),
    `${count('killed')} of ${proof.results.length - count('hidden')} faults are named by their rule (${percent} %), ${count('noticed')} by another rule, ${count('missed')} by none.`,
    ...hiddenLine(count('hidden')),
    `The contract has ${proof.total} faults of what was asked about: ${proof.reachable} can show here, ${proof.unreached.length} are of statuses that were never answered, ${proof.equivalent.length} make no difference.`,
    ...(escaped.length > 0 ? ['', ...table(escaped)] : []),
    ...(proof.unreached.length > 0 ? ['', ...unreachedLines(proof)] : []),
    ...(proof.findings.length > 0
      ? ['', `Found without any fault, and not counted: ${proof.findings.map(({ id }) => id).join(', ')}.`]
      : []),
  ].join('\n')
}

function interruptedLine({ interrupted, results, sampled }: Proof): string[] {
  if (interrupted === undefined) return []
  return [`Interrupted (${interrupted}): ${results.length} of ${sampled} faults were tried.`]
}

function hiddenLine(count: number): string[] {
  const are = count === 1 ? 'is' : 'are'
  return count === 0
    ? []
    : [`${count} more ${are} hidden by what is found without any fault, and not counted.`]
}

function table(escaped: readonly FaultResult[]): string[] {
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

function adviceOn({ fault, outcome, foundBy, hiddenBy, planted }: FaultResult): string {
  if (outcome === 'hidden') return `Mend ${hiddenBy.join(', ')} first, which is found without it too.`
  const rules = fault.rules.join(' or ')
  if (planted === 0) return 'Not planted this time: it shows in cases that are not the same in every run.'
  if (outcome === 'noticed') return `Expected ${rules}; ${foundBy.join(', ')} found it.`
  return fault.kind === 'check'
    ? `Give values by which the request is accepted, so that ${rules} can be judged.`
    : `Let ${rules} run on this operation.`
}

/** Statuses that the same operations never returned share a line. */
function unreachedLines({ unreached, operations }: Proof): string[] {
  const lacking = Map.groupBy(unreached, ({ plant }) => ('status' in plant ? plant.status : ''))
  const lists = [...lacking].map(([status, faults]) => ({ status, ids: listOf(faults, operations) }))
  const statuses = lists.filter(({ status }) => status !== '')
  const answers = [...Map.groupBy(statuses, ({ ids }) => ids)].map(
    ([ids, alike]) =>
      `${alike
        .map(({ status }) => status)
        .sort()
        .join(', ')}: ${ids}`,
  )
  const bodies = lists
    .filter(({ status }) => status === '')
    .map(({ ids }) => `Never sent with a body that is right: ${ids}.`)
  return [...(answers.length > 0 ? [`Never answered: ${answers.join('; ')}.`] : []), ...bodies]
}

function listOf(faults: readonly MechanicalFault[], operations: number): string {
  const ids = [...new Set(faults.map(({ operation }) => operation))].sort()
  return ids.length === operations && operations > 1 ? `all ${operations} operations` : ids.join(', ')
}
