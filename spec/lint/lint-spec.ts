import { join } from 'node:path'
import { type NormalizedProblem, Source } from '@redocly/openapi-core'
import { checkRules } from './check.ts'
import { cycleFaults } from './cycles.ts'
import { openFile, workflowFiles } from './files.ts'
import type { Node } from './marks.ts'
import { parseFaults } from './parse.ts'
import { findPlace, type Located } from './places.ts'
import { bundleContracts, type Root, type RuleFault, workflowFaults } from './redocly.ts'
import { referenceFaults, uniqueFaults, unusedFaults } from './references.ts'
import { styleFaults } from './style.ts'
import { workflowReferences } from './workflows.ts'

export interface Linted {
  /** One problem for each place. */
  readonly problems: NormalizedProblem[]
  /** The bundles; absent if they could not be made. */
  readonly contracts?: Readonly<Record<Root, Node>>
}

/**
 * Checks the folder of the contract in the order in which one mistake leads to the next: whether the
 * files are YAML, whether their references have a target and their names are unique, whether they
 * are OpenAPI, and the rules of this contract. What follows from a fault is checked once the fault is
 * gone.
 */
export async function lintSpec(spec: string): Promise<Linted> {
  const unreadable = withRule('parse', parseFaults(spec))
  if (unreadable.length > 0) return { problems: toProblems(spec, unreadable) }

  const unbundled = [
    ...withRule('reference', referenceFaults(spec)),
    ...withRule('unique', uniqueFaults(spec)),
  ]
  if (unbundled.length > 0) return { problems: toProblems(spec, unbundled) }

  // All that bundles or reads the contract follows its references.
  const circular = withRule('cycle', cycleFaults(spec))
  if (circular.length > 0) return { problems: toProblems(spec, circular) }

  const { faults: malformed, contracts } = await bundleContracts(spec)
  if (malformed.length > 0) return { problems: toProblems(spec, malformed), contracts }

  const broken = checkRules(spec, contracts)
  if (broken.length > 0) return { problems: toProblems(spec, broken), contracts }

  const rest = [
    ...(await lintWorkflows(spec, contracts.openapi)),
    ...withRule('unused', unusedFaults(spec)),
    ...withRule('style', styleFaults(spec)),
  ]
  return { problems: toProblems(spec, rest), contracts }
}

/** Adds the name of the rule that found the faults. */
function withRule(rule: string, faults: readonly Located[]): RuleFault[] {
  return faults.map((fault) => ({ ...fault, rule: `contract/${rule}` }))
}

/**
 * The faults of the workflow files: those of their form, or else what they refer to and the
 * contract does not have.
 */
async function lintWorkflows(spec: string, contract: Node): Promise<RuleFault[]> {
  const malformed = await workflowFaults(spec, workflowFiles(spec))
  if (malformed.length > 0) return malformed

  const faults: RuleFault[] = []
  for (const { message, at, file } of workflowReferences(spec, contract)) {
    const { line, col } = findPlace(spec, file, at)
    faults.push({ rule: 'contract/workflows', file, line, col, message })
  }
  return faults
}

/**
 * Faults in the form of Redocly, which prints them. Of several faults at one place only the first,
 * since those after it are about the same mistake.
 */
function toProblems(spec: string, faults: readonly RuleFault[]): NormalizedProblem[] {
  const places = new Set<string>()
  const problems: NormalizedProblem[] = []
  for (const { rule, file, line, col, message } of faults) {
    const place = `${file}:${line}:${col}`
    if (places.has(place)) continue
    places.add(place)
    problems.push({
      ruleId: rule,
      severity: 'error',
      message,
      suggest: [],
      location: [
        {
          source: new Source(join(spec, file), openFile(spec, file).text),
          pointer: undefined,
          start: { line, col },
        },
      ],
    })
  }
  return problems
}
