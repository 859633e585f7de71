import { behaviour, findDeclaredList } from './contract/behaviour.ts'
import { ServiceForm } from './form/service-form.ts'
import { createHistory, type Placed, type RecordedExchange } from './history.ts'
import type { Exchange } from './model/exchange.ts'
import { Model, type ModelOptions } from './model.ts'
import { createReports } from './report/collect-cases.ts'
import type { Found, Look, Summary } from './report/report.ts'
import { Witness } from './report/witness.ts'
import { rules as allRules } from './rules/index.ts'
import { cite, type Rule } from './rules/rule.ts'
import { weighExchange } from './rules/weight.ts'

/** How a history is read. */
export interface ReadOptions extends ModelOptions {
  /** Default: all. */
  readonly rules?: readonly Rule[]
  /** OperationIds whose findings are reported, and no others. Default: all findings. */
  readonly operations?: readonly string[] | undefined
  /** Receives each exchange, in order, before the rules read it. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined
  /** Runs a function later: reading need not be done when an event is added. Default: at once. */
  readonly postpone?: ((work: () => void) => unknown) | undefined
}

/** Reads a history as it grows: each rule reads an event, then the model learns from it. */
export function createReader(options: ReadOptions) {
  const {
    rules = allRules,
    operations,
    onExchange,
    postpone,
    form = new ServiceForm(),
    ...otherOptions
  } = options
  const modelOptions = { ...otherOptions, form }
  const reports = createReports(options.contract)
  const readers = rules.map((rule) => ({
    rule,
    report: reports.createReport(rule.id),
    failures: reports.createReportOfFailures(rule.id),
  }))
  const witness = new Witness(options.contract, reports.sightings)
  const settles = rules.flatMap((rule) => rule.settles ?? [])
  /** The time that each rule took. */
  const spentMs = new Map<string, number>()
  let model = new Model(modelOptions)
  /** What the models before the last reset have forgotten. */
  let forgottenBefore = 0
  const history = createHistory(readEvent, postpone)

  /**
   * Reads the next event of the history: rules judge it, and the model remembers what it shows.
   *
   * @param placed The event and, if it is an exchange, those that were on their way at the same time (`beside`).
   */
  function readEvent({ event, beside }: Placed): void {
    switch (event.type) {
      case 'clock':
        model.serviceTimes.move(event.completeAt, event.now)
        return
      // All that the model remembers of the sandbox is void: a new one begins.
      case 'reset':
        forgottenBefore += model.forgotten
        model = new Model(modelOptions)
        return
      case 'balances':
        for (const { rule, report } of readers) rule.readBalances?.(event, model, report)
        model.ledger.noteBalances(event)
        return
      case 'delivery':
        model.deliveries.receive(event)
        return
      case 'exchange':
        readExchange({ event, beside })
    }
  }

  function readExchange(placed: Placed<RecordedExchange>): void {
    const exchange = model.read(placed)
    if (!placed.event.hasNoResponse) judge(exchange)
    model.fold(exchange)
  }

  /**
   * Lets the rules judge an exchange, and with it an earlier read that waits for it: one of the same record that
   * did not show a write. If this read shows it, the service only lags, and that becomes a finding.
   */
  function judge(exchange: Exchange): void {
    onExchange?.(exchange)
    witness.readResponse(exchange)

    // Before the rules, which may let this read wait in its place.
    const earlierLook = reports.takeEarlierLook(exchange)
    readByRules(exchange)
    if (!earlierLook || reports.hasFailedCase(exchange)) return

    // Of lists, the rule lists-current reports the lag.
    const isOfRecord = !isList(earlierLook.look)
    if (isOfRecord) reportLag(earlierLook, 'A later look shows it.')
  }

  /**
   * Lets each rule judge an exchange. What counts depends on its weight: passed and failed cases (`cases`), failed
   * ones alone (`failures`), or `nothing`. A refused request of which no similar one was accepted, for example, proves
   * nothing by passing most rules.
   */
  function readByRules(exchange: Exchange): void {
    // The clock is read once for each rule, since that takes as long as many rules do.
    let beganAt = performance.now()
    for (const { rule, report, failures } of readers) {
      if (!rule.read) continue
      const weight = weighExchange(rule, exchange, model)
      if (weight === 'nothing') continue

      rule.read(exchange, model, weight === 'cases' ? report : failures)
      const endedAt = performance.now()
      spentMs.set(rule.id, (spentMs.get(rule.id) ?? 0) + endedAt - beganAt)
      beganAt = endedAt
    }
  }

  /** What the rules have found so far. */
  function look(): Summary {
    const summary = reports.summary(settles, form)
    const findings = summary.findings.filter(isReported)
    return { ...summary, findings, spentMs, forgotten: forgottenBefore + model.forgotten }
  }

  function isReported({ operation = '' }: Found): boolean {
    return operations === undefined || operations.includes(operation)
  }

  /**
   * Concludes the reads that still wait for a later look, since none is to come, and returns what the rules have
   * found.
   */
  function concludeLooks(): Summary {
    for (const waitingLook of reports.takeLooks()) {
      // A record that no response showed may not be there yet. A list must show what there is.
      if (isList(waitingLook.look))
        reportLag(waitingLook, 'No later look shows whether it only lags.')
    }
    return look()
  }

  /** Reports that a read did not show a write, as a deviation from what the contract assumes of lists. */
  function reportLag({ rule, look, message }: Look, words: string): void {
    const cites = cite(behaviour.conventions.listsCurrent)
    reports.createReport(rule).failed(look, cites, `${message} ${words}`)
  }

  return {
    history,
    /** How the service writes what the contract assumes, as far as it was learned. */
    form,
    look,
    /** Takes the findings that are new, or more severe than before. */
    takeNewFindings: () => reports.takeNewFindings().filter(isReported),
    concludeLooks,
    takeLooks() {
      history.passOn()
      return reports.takeLooks()
    },
    /**
     * Ends the history and returns the summary. Only now do the rules judge that need all of it, such as
     * those about deliveries.
     */
    endHistory(): Summary {
      history.end()
      const { signatureHeader } = options.contract
      model.deliveries.conclude({ signatureHeader, givenScheme: options.givenScheme })
      for (const { rule, report } of readers) rule.end?.(model, report)
      witness.readDeliveries(model)
      return concludeLooks()
    },
  }
}

function isList(exchange: Exchange): boolean {
  return findDeclaredList(exchange) !== undefined
}
