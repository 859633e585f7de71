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
   * Reads the next event of the history: rules judge it, and the model remembers what it shows. After the
   * reset of a sandbox, all that the model remembers is void.
   *
   * @param placed The event and, if it is an exchange, those that were on their way at the same time (`beside`).
   */
  function readEvent({ event, beside }: Placed): void {
    switch (event.type) {
      case 'clock':
        model.serviceTimes.move(event.completeAt, event.now)
        return
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
   * Lets the rules judge an exchange. A read that came too early after a write, such as of a transfer that is
   * not shown yet, waits for a later look at the same record. If that shows it, the service only lags, and the
   * early read becomes a finding about that.
   */
  function judge(exchange: Exchange): void {
    onExchange?.(exchange)
    witness.readResponse(exchange)
    const earlyLook = reports.lookAgain(exchange, () => readByRules(exchange))
    if (!earlyLook) return

    // Of lists, the rule lists-current reports the lag.
    const isOfRecord = !isList(earlyLook.look)
    if (isOfRecord) reportLag(earlyLook, 'A later look shows it.')
  }

  /**
   * Lets each rule judge an exchange. The weight of an exchange for a rule says what counts: passed and failed
   * cases (`cases`), only failed ones, or `nothing`. Of a refused request of which no similar one was accepted, for
   * example, most rules report only failed ones.
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
    const summary = reports.summary(settles, form.learned)
    const findings = summary.findings.filter(isReported)
    return { ...summary, findings, spentMs, forgotten: forgottenBefore + model.forgotten }
  }

  function isReported({ operation = '' }: Found): boolean {
    return operations === undefined || operations.includes(operation)
  }

  /**
   * What the rules have found, where no later look is to come. A list that did not show a write, and was not
   * read again, becomes a finding. A record that was not read again becomes none: it was not shown, perhaps
   * because it is not there yet.
   */
  function concludeLooks(): Summary {
    const looksAtLists = reports.takeLooks().filter(({ look }) => isList(look))
    for (const earlierLook of looksAtLists)
      reportLag(earlierLook, 'No later look shows whether it only lags.')
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
