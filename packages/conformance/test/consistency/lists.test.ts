import { charge, charges, expectFindingsWith, pass, signIn } from '../story.ts'
import { CONSISTENT, LATER, TEN_CHARGES } from './steps.ts'

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds nothing in a list that shows an expired charge no more',
    story: [
      TEN_CHARGES,
      charges('?limit=10'),
      pass(90_000_000),
      signIn('partner'),
      charges('?limit=20', { shown: () => [] }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a list to which a charge was added during the walk',
    story: [
      TEN_CHARGES,
      LATER,
      charges('?limit=10'),
      charges('?limit=5', { shown: (all) => all.slice(0, 5), next: 'two' }),
      charge,
      charges('?limit=5&cursor=two', { shown: (all) => all.slice(7) }),
    ],
    finds: [],
  },
  {
    title: 'it finds a record that is lost between two pages',
    story: [
      TEN_CHARGES,
      LATER,
      charges('?limit=10'),
      charges('?limit=4', { shown: (all) => all.slice(0, 4), next: 'two' }),
      charges('?limit=4&cursor=two', { shown: (all) => all.slice(5, 9), next: 'three' }),
      charges('?limit=4&cursor=three', { shown: (all) => all.slice(9) }),
    ],
    finds: ['lists-consistent@listImmediateQrCodes'],
  },
])
