/** Of the API: both services count in the same counters. */
export const apiLimits = { requestsPerTokenPerMinute: 120, requestsPerAddressPerMinute: 600 };
