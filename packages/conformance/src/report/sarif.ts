import type { Finding, Result, Severity } from '../engine/result.ts'
import { visible } from '../model/visible.ts'
import { profile } from '../profiles/index.ts'
import { exitCodeOf } from './exit-codes.ts'
import { acceptanceOf, citationOf, pageOf } from './finding-details.ts'
import { isFailing, type ReportOptions } from './options.ts'
import { inconclusiveOf, type JudgedRule, judgedRules } from './rule-results.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** Severity scores of GitHub code scanning, where 9.0 and above is critical. */
const SCORES: Readonly<Record<Severity, string>> = {
  critical: '9.5',
  error: '7.5',
  warning: '5.0',
  note: '2.0',
}

/**
 * Renders a result as SARIF 2.1.0. Each result is located at the line of the contract (3.28), with the id of the
 * finding as its fingerprint (3.27.17). Findings in the baseline are suppressed.
 */
export function renderSarif(result: Result, options: ReportOptions = {}): string {
  const rules = judgedRules(result)
  const indices = new Map(rules.map(({ rule }, index) => [rule, index]))
  const resultFor = (finding: Finding) => resultOf(finding, indices.get(finding.rule) ?? -1, options)
  const run = {
    tool: { driver: driverOf(rules, options) },
    automationDetails: { id: ['conformance', result.target, result.shard].filter(Boolean).join('/') },
    columnKind: 'utf16CodeUnits',
    invocations: [invocationOf(result, rules, options)],
    results: [
      ...result.findings.map(resultFor),
      ...result.baselined.map((finding) => ({
        ...resultFor(finding),
        suppressions: [{ kind: 'external', justification: visible(acceptanceOf(finding) ?? '') }],
      })),
    ],
    properties: { url: result.url, seed: result.seed, failOn: options.failOn, cases: result.cases },
  }
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`
}

function driverOf(rules: readonly JudgedRule[], options: ReportOptions) {
  const { version } = options
  return {
    name: 'partner-payments-check',
    ...(version ? { version, semanticVersion: version } : {}),
    rules: rules.map(({ rule, title, phase, findings }) => {
      const page = pageOf(rule, options)
      const advice = profile.rules.find(({ id }) => id === rule)?.advice
      const severities = findings.map(({ severity }) => Number(SCORES[severity]))
      return {
        id: rule,
        shortDescription: message(title),
        help: message(
          [title, advice, `Phase: ${phase}.`, page && `Page: ${page}`].filter(Boolean).join('\n\n'),
        ),
        ...(page ? { helpUri: page } : {}),
        properties: {
          tags: ['contract', phase],
          // Code scanning reads the score from the rule, so the most severe finding decides.
          ...(severities.length > 0 ? { 'security-severity': Math.max(...severities).toFixed(1) } : {}),
        },
      }
    }),
  }
}

/** SARIF has no result for errors in the contract and rules that did not judge every case, so they become notifications. */
function invocationOf(result: Result, rules: readonly JudgedRule[], options: ReportOptions) {
  const { contractFaults = [] } = result
  const started = Date.parse(result.startedAt)
  return {
    executionSuccessful: result.interrupted === undefined,
    exitCode: exitCodeOf(result, options),
    exitCodeDescription: result.interrupted,
    startTimeUtc: new Date(started).toISOString(),
    endTimeUtc: new Date(started + result.ms).toISOString(),
    ...(contractFaults.length > 0 && {
      toolConfigurationNotifications: contractFaults.map((fault) => ({
        level: 'warning',
        message: message(fault.message),
        locations: locationsOf({ contract: fault.pointer, operation: undefined }, options),
      })),
    }),
    toolExecutionNotifications: rules.flatMap((rule) =>
      [rule.reason && `Not assessed: ${rule.reason}`, inconclusiveOf(rule)].flatMap((text) =>
        text ? [{ level: 'note', associatedRule: { id: rule.rule }, message: message(text) }] : [],
      ),
    ),
  }
}

function resultOf(finding: Finding, ruleIndex: number, options: ReportOptions) {
  const { id, rule, kind, severity, operation, question, cites, contract, evidence, count } = finding
  const isError = severity === 'critical' || isFailing(finding, options)
  return {
    ruleId: rule,
    ruleIndex,
    level: isError ? 'error' : severity,
    kind: 'fail',
    message: message(`${finding.message} ${finding.advice} Cites ${citationOf(finding, options)}.`),
    locations: locationsOf(finding, options),
    partialFingerprints: { 'finding/v1': id },
    occurrenceCount: Math.max(1, count),
    properties: {
      ...{ kind, severity, operation, question, cites, contract },
      ...{ curl: evidence.curl, status: evidence.status },
    },
  }
}

/** Escapes text that readers of SARIF take for placeholders (3.11.5) or links (3.11.6). */
function message(text: string) {
  return {
    text: visible(text)
      .replace(/\{(\d+)\}/g, '{{$1}}')
      .replaceAll('](', '\\]('),
  }
}

function locationsOf(
  { contract, operation }: Pick<Finding, 'contract' | 'operation'>,
  { locate }: ReportOptions,
) {
  const at = locate?.(contract)
  const logicalLocations = [
    { fullyQualifiedName: contract || '/', ...(operation ? { name: operation } : {}) },
  ]
  if (!at) return [{ logicalLocations }]
  const uri = at.file.split('/').map(encodeURIComponent).join('/')
  return [
    { physicalLocation: { artifactLocation: { uri }, region: { startLine: at.line } }, logicalLocations },
  ]
}
