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
    `${count('killed')} of ${proof.results.length - count('hidden')} faults were killed by their rule (${percent} %), ${count('noticed')} were noticed by another rule, ${count('survived')} survived.`,
    ...hiddenLine(count('hidden')),
    `The selected operations have ${proof.total} faults: ${proof.reachable} can show in this configuration, ${proof.unreached.length} were not reached, ${proof.equivalent.length} make no difference.`,
    ...(escaped.length > 0 ? ['', ...table(escaped)] : []),
    ...(proof.unreached.length > 0 ? ['', ...unreachedLines(proof)] : []),
    ...(proof.findings.length > 0
      ? [
          '',
          `Findings without any fault, which are not counted: ${proof.findings.map(({ id }) => id).join(', ')}.`,
        ]
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
    : [
        `${count} more ${are} not counted, because the service has findings without any fault that hide ${count === 1 ? 'it' : 'them'}.`,
      ]
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
  if (outcome === 'hidden') return `Fix ${hiddenBy.join(', ')} first, which shows without the fault too.`
  const rules = fault.rules.join(' or ')
  if (planted === 0) return 'Not planted in this run: it shows only in cases that differ from run to run.'
  if (outcome === 'noticed') return `Expected ${rules}, but ${foundBy.join(', ')} reported it.`
  return fault.kind === 'request'
    ? `Set values with which the service accepts the request, so that ${rules} can judge it.`
    : `Include ${rules} for this operation.`
}

/** Statuses that the same operations never returned share a line. */
function unreachedLines({ unreached, operations }: Proof): string[] {
  const lacking = Map.groupBy(unreached, ({ plant }) => ('status' in plant ? plant.status : ''))
  const lists = [...lacking].map(([status, faults]) => ({ status, ids: listOf(faults, operations) }))
  const statuses = lists.filter(({ status }) => status !== '')
  const statusLines = [...Map.groupBy(statuses, ({ ids }) => ids)].map(
    ([ids, alike]) =>
      `${alike
        .map(({ status }) => status)
        .sort()
        .join(', ')}: ${ids}`,
  )
  const bodies = lists
    .filter(({ status }) => status === '')
    .map(({ ids }) => `Never sent with a valid body: ${ids}.`)
  return [
    ...(statusLines.length > 0 ? [`Statuses never returned: ${statusLines.join('; ')}.`] : []),
    ...bodies,
  ]
}

function listOf(faults: readonly MechanicalFault[], operations: number): string {
  const ids = [...new Set(faults.map(({ operation }) => operation))].sort()
  return ids.length === operations && operations > 1 ? `all ${operations} operations` : ids.join(', ')
}
