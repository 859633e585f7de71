import { dirname } from 'node:path'
import { type Arguments, readArguments } from '@partner-payments/command'
import packageJson from '../package.json' with { type: 'json' }
import {
  type CheckArguments,
  omitUndefined,
  readCheckOptions,
  repeatCommand,
  requireTarget,
} from './cli/options.ts'
import { prepareOutcome } from './cli/outcome.ts'
import {
  CommandError,
  interruptible,
  keepHeapSmall,
  log,
  parseJson,
  progress,
  readText,
  refuse,
  refuseFile,
} from './cli/process.ts'
import { readSpec, type Spec } from './cli/spec.ts'
import { CHECK, type CheckerOption, type Flags, type Mode, OPTIONS } from './cli/table.ts'
import { findUndeclaredId, readContract } from './contract/contract.ts'
import { GivenFormError } from './form/given-form.ts'
import { checkHar, HarError, type HarResult } from './har.ts'
import { startProxy } from './proxy.ts'
import { BaselineError } from './report/baseline.ts'
import { describeExchange } from './report/findings.ts'
import { buildGroupKey } from './report/groups.ts'
import type { Finding, Result } from './report/result.ts'
import { COULD_NOT_RUN, listUnknown, type ReportOptions } from './report/summary.ts'
import { count } from './report/text.ts'
import { rules } from './rules/index.ts'
import { check } from './run.ts'
import { askOwnService } from './send/own-service.ts'
import { CannotRun } from './send/transport.ts'
import { requestsValid } from './traffic.ts'

/**
 * Runs the command line and returns the exit code. Never rejects.
 *
 * @param options.name the command as the user typed it, which help and advice repeat
 */
export async function main(
  args: readonly string[],
  { name = 'partner-payments check' }: { readonly name?: string } = {},
): Promise<number> {
  keepHeapSmall()
  try {
    const checkArguments = readArguments(CHECK, args, {
      name,
      version: packageJson.version,
      toSettings,
    })
    // The exit code of `--help` and the like, after which there is nothing to do.
    if (typeof checkArguments === 'number') return checkArguments

    const { flags, given } = checkArguments
    const mode = chooseMode(flags)
    requireUseful(mode, checkArguments)
    if (mode === 'list-rules') return listRules(flags)
    const conclude = prepareOutcome(flags)
    const spec = await readSpec(flags.spec)
    refuseUnknownOperations(flags, spec)
    const result = await runMode(mode, checkArguments, spec)
    const options = {
      ...createReportOptions(mode, flags, spec),
      // What passed through a proxy cannot be repeated.
      repeat: mode === 'proxy' ? undefined : repeatCommand(name, given),
    }
    return conclude(await addOwnService(result, mode, flags), options)
  } catch (error) {
    log(describeFailure(error))
    return COULD_NOT_RUN
  }
}

/** Creates the options of all reports from the flags: what fails the run, where the contract is, and so on. */
function createReportOptions(
  mode: Exclude<Mode, 'list-rules'>,
  flags: Flags,
  { locate, locateAnywhere }: Spec,
): ReportOptions {
  return {
    failOn: flags.failOn,
    locate,
    locateAnywhere,
    docs: flags.docs?.replace(/\/$/, ''),
    version: packageJson.version,
    evidence: mode === 'check' ? 'run' : mode,
    isPart: flags.only !== undefined || flags.operation !== undefined,
  }
}

function toSettings({ values, given }: Arguments<typeof OPTIONS>): CheckArguments {
  return { flags: values, given }
}

/** What the flags ask for. */
function chooseMode({ listRules, har, proxy }: Flags): Mode {
  if (listRules) return 'list-rules'
  if (har) return 'har'
  return proxy ? 'proxy' : 'check'
}

/**
 * Runs the check in one of three ways: judges a HAR file, judges what passes through a proxy, or sends
 * requests to a service. Returns the result.
 */
async function runMode(
  mode: Exclude<Mode, 'list-rules'>,
  checkArguments: CheckArguments,
  spec: Spec,
): Promise<Result> {
  if (mode === 'har') return judgeHar(checkArguments.flags, spec)
  if (mode === 'proxy') return judgeProxied(checkArguments.flags, spec)
  return runCheck(checkArguments, spec)
}

/**
 * Adds to a result which of our own services was checked, if a report of evidence is written. Asks the
 * service, unless the traffic has shown it. Nothing is sent for a HAR.
 */
async function addOwnService(result: Result, mode: Mode, { report = [] }: Flags): Promise<Result> {
  const isEvidence = report.some((item) => item.startsWith('evidence='))
  if (!isEvidence || mode === 'har' || result.own !== undefined) return result

  const ownService = await askOwnService(result.url)
  return ownService === undefined ? result : { ...result, own: ownService }
}

/** Says in one sentence why the program failed, with advice and without a stack trace. */
function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof CommandError) return message
  if (error instanceof GivenFormError) return `--set cannot be used: ${message}.`
  if (error instanceof BaselineError) return `The baseline cannot be used: ${message}.`
  if (error instanceof CannotRun) return describeWhyNotRun(message)
  return `The checker itself failed: ${message.split('\n', 1)[0]}. Report it with the options that were given.`
}

/** Writes why a check could not run as a sentence, with advice if the service cannot be reached. */
function describeWhyNotRun(reason: string): string {
  const isSentence = /[.?!]$/.test(reason)
  const sentence = `The check could not run: ${isSentence ? reason : `${reason}.`}`
  const isUnreachable = reason.includes('cannot be reached')
  return isUnreachable ? `${sentence} Is it running, and is --target right?` : sentence
}

/**
 * Rejects options that have no effect in this mode, such as `--receiver` with `--har`. An option that silently does
 * nothing would mislead.
 *
 * @throws {CommandError} with the first of them
 */
function requireUseful(mode: Mode, { flags, given }: CheckArguments): void {
  if (mode === 'check') {
    refuseRulesOfRequests(flags)
    refuseOptionsWithoutKind(flags)
  }

  const useless = given.find(({ name }) => !findModes(name).includes(mode))
  if (useless === undefined) return

  const modeOption = mode === 'check' ? 'target' : mode
  refuse(`--${useless.name} does nothing with --${modeOption}; see --help`)
}

/** @throws {CommandError} if the rule that judges the requests of others is wanted of a run, which sends its own */
function refuseRulesOfRequests({ only }: Flags): void {
  if (!only?.includes(requestsValid.id)) return
  refuse(
    `--only ${requestsValid.id} does nothing with --target: it judges the requests of a recording`,
  )
}

/** @throws {CommandError} if the contract has no operation of `--operation`, with those that it has */
function refuseUnknownOperations(
  { operation: chosenIds }: Flags,
  { contract: document }: Spec,
): void {
  if (chosenIds === undefined) return

  const contract = readContract(document)
  const undeclaredId = findUndeclaredId(chosenIds, contract)
  if (undeclaredId === undefined) return

  const ids = [...contract.operationIds].join(', ')
  refuse(`--operation: the contract has no operation "${undeclaredId}"; it has ${ids}`)
}

/** The modes in which an option has an effect. */
function findModes(name: string): readonly Mode[] {
  const options: Readonly<Record<string, CheckerOption>> = OPTIONS
  return options[name]?.modes ?? []
}

/**
 * @throws {CommandError} if a flag about what a sandbox or a mock may be comes without their kind
 */
function refuseOptionsWithoutKind({ kind = 'live', allowRemoteSandbox, disposable }: Flags): void {
  if (kind !== 'live') return
  if (allowRemoteSandbox)
    refuse('--allow-remote-sandbox does nothing without --kind sandbox or mock; see --help')
  if (disposable) refuse('--disposable does nothing without --kind sandbox or mock; see --help')
}

const LIVE =
  'A live service: the run removes each record that it creates. If it is a sandbox or a mock, say so with --kind.'

/**
 * Checks a service with the options of the command line, and shows the progress. Ctrl-C ends the run early:
 * it removes what it created, and returns the result so far.
 */
async function runCheck(checkArguments: CheckArguments, spec: Spec): Promise<Result> {
  const options = await readCheckOptions(checkArguments, spec, process.env)
  // Says what a run does on a live service.
  if ((options.target ?? 'live') === 'live') log(LIVE)
  const interrupt = () => {
    progress.end()
    log('Interrupted: removing what the run created. Ctrl-C again ends at once, and leaves it.')
  }
  /** Checks the service until the signal ends the run. */
  const runWithSignal = (signal: AbortSignal) =>
    check({
      ...options,
      signal,
      onProgress(state) {
        if (!signal.aborted) progress.update(state)
      },
    })
  return interruptible(interrupt, runWithSignal).finally(progress.end)
}

/**
 * Judges the traffic in a HAR file, and logs what was left out and what is unknown of it.
 *
 * @throws {CommandError} if the file cannot be read, is no HAR, or has nothing to judge
 */
function judgeHar(
  { har: file = '', target, complete, only, operation }: Flags,
  spec: Spec,
): Result {
  const baseUrl = target === undefined ? undefined : requireTarget(target, '--target')
  const options = {
    contract: spec.contract,
    baseUrl,
    isComplete: complete,
    only,
    operations: operation,
  }
  const har = parseJson(readText(file, '--har'), file)
  try {
    const result = checkHar(har, { ...omitUndefined(options), folder: dirname(file) })
    requireJudged(result, file)
    log(describeLeftOut(result))
    const unknown = listUnknown(result)
    if (unknown.length > 0) log(`Unknown, and read by no rule: ${unknown.join(', ')}.`)
    return result
  } catch (error) {
    if (error instanceof HarError) return refuseFile(`${file}: ${error.message}`)
    throw error
  }
}

/** @throws {CommandError} if a recording has nothing to judge */
function requireJudged({ requests, unknown }: HarResult, file: string): void {
  if (requests > 0) return
  if (unknown.notResponded > 0) {
    const sent = count(unknown.notResponded, 'request')
    refuseFile(
      `${file} has ${sent} to the service, and no response of it; record one with its response`,
    )
  }
  refuseFile(
    `${file} has no traffic of the service; give the base URL that it has in the recording with --target`,
  )
}

/**
 * Says how many entries of a recording are not judged, and why: `Left out: 12 of other hosts or paths.`
 */
function describeLeftOut({ leftOut, unknown }: HarResult): string {
  const parts = [`${leftOut} of other hosts or paths`]
  const { notResponded, recordedTwice, unreadable } = unknown
  if (notResponded > 0) parts.push(`${notResponded} that the service did not respond to`)
  if (recordedTwice > 0) parts.push(`${recordedTwice} recorded a second time`)
  if (unreadable > 0) parts.push(`${unreadable} without a request`)
  return `Left out: ${parts.join(', ')}.`
}

/**
 * Starts a proxy in front of the service, judges what passes through it until Ctrl-C, and returns the result.
 * Logs findings as they appear.
 */
async function judgeProxied(
  { proxy: url, port, complete, json }: Flags,
  spec: Spec,
): Promise<Result> {
  const logOnce = createFindingLog()
  const proxy = await startProxy({
    url: requireTarget(url, '--proxy'),
    ...omitUndefined({ port, contract: spec.contract, isComplete: complete }),
    onFinding(finding) {
      if (!json) logOnce(finding)
    },
  })
  log(`Requests to ${proxy.url} are passed on to ${url}. Ctrl-C ends, and prints the report.`)
  // Waits for Ctrl-C; until then, the proxy works by itself.
  await interruptible(
    () => undefined,
    (signal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
  )
  const result = await proxy.close()
  const { notResponded } = result.unknown
  if (notResponded > 0) {
    const sent = count(notResponded, 'request')
    log(`Left out: ${sent} without a response. Each may have taken effect, such as a payment.`)
  }
  return result
}

/**
 * Creates the function that logs a finding as it appears. Of findings that the report shows as one group,
 * it logs only the first.
 */
function createFindingLog(): (finding: Finding) => void {
  const logged = new Set<string>()
  return (finding) => {
    const key = buildGroupKey(finding)
    if (logged.has(key)) return

    logged.add(key)
    const { severity, rule, operation = 'all operations', message } = finding
    log(`${severity.padEnd(8)}  ${operation} ${describeExchange(finding)}  ${rule}: ${message}`)
  }
}

/** Prints the id of each rule and what it says, as text or as JSON lines. Returns the exit code 0. */
function listRules({ json }: Flags): number {
  const width = Math.max(...rules.map(({ id }) => id.length))
  const lines = rules.map(({ id, says }) =>
    json ? JSON.stringify({ id, says }) : `${id.padEnd(width)}  ${says}`,
  )
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
}
