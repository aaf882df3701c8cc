/** Under these keys lie answers and nothing else, whatever version of this package wrote them. */
export const STORED_ANSWERS_PREFIX = "squad-rate:cache:";
