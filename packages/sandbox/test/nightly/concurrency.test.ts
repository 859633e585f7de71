import { describeRaces } from '../concurrency.ts'

describeRaces(80, 1_200)
