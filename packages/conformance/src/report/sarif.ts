import type { Finding, Result, RuleResult } from '../engine/result.ts'
import { profile } from '../profiles/index.ts'
import { knownOf } from './again.ts'
import type { Locate } from './locate.ts'
import { type Judgement, judgedRules, maskingsOf } from './rule-results.ts'
import { exitCodeOf } from './summary.ts'
import { visible } from './text.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** What a reader of SARIF is told besides the result. */
export interface SarifOptions {
  /** Where findings are shown; without it they have no line. */
  readonly locate?: Locate
  /** The version of this package. */
  readonly version?: string
}

/**
 * A run as SARIF 2.1.0: rules are the rules (3.49), results stand at the line of the contract that was broken (3.28)
 * and keep their identity from run to run by the id of the finding (3.27.17). What a baseline lets pass is suppressed.
 */
export function renderSarif(result: Result, options: SarifOptions = {}): string {
  const judged = judgedRules(result)
  const indices = new Map(judged.map(({ rule }, index) => [rule.rule, index]))
  const resultFor = (finding: Finding) => resultOf(finding, indices.get(finding.rule) ?? -1, options)
  const run = {
    tool: { driver: driverOf(judged, options) },
    automationDetails: { id: ['conformance', result.target, result.shard].filter(Boolean).join('/') },
    columnKind: 'utf16CodeUnits',
    invocations: [invocationOf(result, judged)],
    results: [
      ...result.findings.map(resultFor),
      ...result.baselined.map((finding) => ({
        ...resultFor(finding),
        suppressions: [{ kind: 'external', justification: visible(knownOf(finding) ?? '') }],
      })),
    ],
    properties: { url: result.url, seed: result.seed, strict: result.strict, cases: result.cases },
  }
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`
}

function driverOf(judged: readonly Judgement[], { version }: SarifOptions) {
  return {
    name: 'partner-payments-check',
    ...(version ? { version, semanticVersion: version } : {}),
    rules: judged.map(({ rule }) => ({
      id: rule.rule,
      shortDescription: message(rule.title),
      help: message([rule.title, adviceOf(rule.rule), `Phase: ${rule.phase}.`].filter(Boolean).join('\n\n')),
      properties: { tags: ['contract', rule.phase] },
    })),
  }
}

/** What to do where a rule is broken; one that is not listed has none. */
function adviceOf(id: string): string | undefined {
  return profile.rules.find((it) => it.id === id)?.advice
}

/** That a rule was not assessed, or not in every case, is told beside the results: it is none. */
function invocationOf(result: Result, judged: readonly Judgement[]) {
  const started = Date.parse(result.startedAt)
  return {
    executionSuccessful: result.interrupted === undefined,
    exitCode: exitCodeOf(result),
    exitCodeDescription: result.interrupted,
    startTimeUtc: new Date(started).toISOString(),
    endTimeUtc: new Date(started + result.ms).toISOString(),
    toolExecutionNotifications: judged.flatMap(({ rule, reason }) => [
      ...(reason ? [noteOf(rule.rule, `Not assessed: ${reason}`)] : []),
      ...(rule.inconclusive > 0 ? [noteOf(rule.rule, maskedText(rule))] : []),
    ]),
  }
}

function maskedText(rule: RuleResult): string {
  const by = maskingsOf(rule)
  return `Masked: ${rule.inconclusive} of ${rule.cases} cases, neither passed nor failed.${by && ` ${by}.`}`
}

function noteOf(rule: string, text: string) {
  return { level: 'note', associatedRule: { id: rule }, message: message(text) }
}

function resultOf(finding: Finding, ruleIndex: number, { locate }: SarifOptions) {
  const { id, rule, kind, severity, operation, question, contract, evidence, count } = finding
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    kind: 'fail',
    message: message(`${finding.message} ${finding.advice}`),
    locations: locationsOf(finding, locate),
    partialFingerprints: { 'finding/v1': id },
    occurrenceCount: Math.max(1, count),
    properties: { kind, operation, question, contract, curl: evidence.curl, status: evidence.status },
  }
}

/** What a reader of SARIF would take for a placeholder (3.11.5) or a link (3.11.6) stays text. */
function message(text: string) {
  return {
    text: visible(text)
      .replace(/\{(\d+)\}/g, '{{$1}}')
      .replaceAll('](', '\\]('),
  }
}

function locationsOf({ contract, operation }: Finding, locate: Locate | undefined) {
  const at = locate?.(contract)
  const logicalLocations = [
    { fullyQualifiedName: contract || '/', ...(operation ? { name: operation } : {}) },
  ]
  if (!at) return [{ logicalLocations }]
  const physicalLocation = { artifactLocation: { uri: uriOf(at.file) }, region: { startLine: at.line } }
  return [{ physicalLocation, logicalLocations }]
}

function uriOf(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/')
}
