import type { Finding, LawResult, Result } from '../engine/result.ts'
import { laws } from '../rules/index.ts'
import { knownOf } from './again.ts'
import { type Judged, judgedLaws, maskingsOf } from './laws.ts'
import type { Locate } from './locate.ts'
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
 * A run as SARIF 2.1.0: rules are the laws (3.49), results stand at the line of the contract that was broken (3.28)
 * and keep their identity from run to run by the id of the finding (3.27.17). What a baseline lets pass is suppressed.
 */
export function renderSarif(result: Result, options: SarifOptions = {}): string {
  const judged = judgedLaws(result)
  const indices = new Map(judged.map(({ law }, index) => [law.law, index]))
  const resultFor = (finding: Finding) => resultOf(finding, indices.get(finding.law) ?? -1, options)
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

function driverOf(judged: readonly Judged[], { version }: SarifOptions) {
  return {
    name: 'partner-payments-check',
    ...(version ? { version, semanticVersion: version } : {}),
    rules: judged.map(({ law }) => ({
      id: law.law,
      shortDescription: message(law.title),
      help: message([law.title, adviceOf(law.law), `Phase: ${law.phase}.`].filter(Boolean).join('\n\n')),
      properties: { tags: ['contract', law.phase] },
    })),
  }
}

/** What to do where a law is broken; one that is not listed has none. */
function adviceOf(id: string): string | undefined {
  return laws.find((it) => it.id === id)?.advice
}

/** That a law was not assessed, or not in every case, is told beside the results: it is none. */
function invocationOf(result: Result, judged: readonly Judged[]) {
  const started = Date.parse(result.startedAt)
  return {
    executionSuccessful: result.interrupted === undefined,
    exitCode: exitCodeOf(result),
    exitCodeDescription: result.interrupted,
    startTimeUtc: new Date(started).toISOString(),
    endTimeUtc: new Date(started + result.ms).toISOString(),
    toolExecutionNotifications: judged.flatMap(({ law, reason }) => [
      ...(reason ? [noteOf(law.law, `Not assessed: ${reason}`)] : []),
      ...(law.masked > 0 ? [noteOf(law.law, maskedText(law))] : []),
    ]),
  }
}

function maskedText(law: LawResult): string {
  const by = maskingsOf(law)
  return `Masked: ${law.masked} of ${law.cases} cases, neither passed nor failed.${by && ` ${by}.`}`
}

function noteOf(law: string, text: string) {
  return { level: 'note', associatedRule: { id: law }, message: message(text) }
}

function resultOf(finding: Finding, ruleIndex: number, { locate }: SarifOptions) {
  const { id, law, kind, severity, operation, question, contract, evidence, count } = finding
  return {
    ruleId: law,
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
