import { plans as allPlans } from '../plans/index.ts'
import { readSubject } from '../report/result.ts'
import { rules as allRules } from '../rules/index.ts'

/**
 * Chooses the plans and the rules of `--only`: the rules that it names, and the plans that want a case
 * of them. The name of a plan selects that plan, whose requests all rules read.
 *
 * @example
 * choosePlansAndRules(['lists']) // all rules whose id begins with `lists-`, and the plans that want one
 * choosePlansAndRules(['examples']) // the plan of that name, and all rules
 *
 * @param only Ids of rules or of plans, or subjects of rules. Default: all.
 */
export function choosePlansAndRules(only: readonly string[] | undefined, allowed = allPlans) {
  if (!only) return { plans: allowed, rules: allRules }

  const plans = allowed.filter(
    (plan) => only.includes(plan.id) || plan.wants.some((id) => isNamedRule(id, only)),
  )
  const rules = allRules.filter(({ id }) => isNamedRule(id, only))
  const areOnlyPlansNamed = rules.length === 0
  if (areOnlyPlansNamed) return { plans, rules: allRules }

  // A rule that no plan wants a case of, such as `secrets-hidden`, reads what all plans send: then all run.
  const isEachRuleWanted = rules.every(({ id }) => plans.some((plan) => plan.wants.includes(id)))
  return { plans: isEachRuleWanted ? plans : allowed, rules }
}

/** Whether a selection has a rule, by its id or by its subject. */
function isNamedRule(rule: string, names: readonly string[]): boolean {
  return names.includes(rule) || names.includes(readSubject(rule))
}
