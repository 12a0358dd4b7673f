/** Expressions that would not fit a line, made of parts that have names. */

const { raw } = String;

const wordStart = raw`(?<![\p{L}\p{N}])`;
const wordEnd = raw`(?![\p{L}\p{N}])`;
const ordinalEnd = '(?:st|nd|rd|th)';
const shortMonths = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const shortWeekdays = 'mon|tue|wed|thu|fri|sat|sun';
const minutes = raw`[:.]\d\d`;
const meridiem = raw`\s?[ap]\.?m`;
const noHourBehind = raw`(?!\d|[:.]\d|\s*[ap]\.?m)`;
/** «every 2 months on », «monthly on ». */
const everyMonth = raw`(?:every!? (?:\d+ |other )?months?|monthly)`;
const weekday = '(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?';

/** «29 Feb», «February 29th», «29/2», without a year behind it. */
export const leapDay = new RegExp(
  raw`(?<![\p{L}\p{N}./–-])(?:on\s+)?` +
    raw`(?:(?:the )?29(?:th)?(?: of)? feb(?:ruary)?|feb(?:ruary)? 29(?:th)?|29/0?2|0?2/29)` +
    raw`(?![\p{L}\p{N}/–-]|[.,]?\s*\d{4})`,
  'iu',
);

export const monthThenDay = new RegExp(
  `${wordStart}(?<month>` +
    'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
    'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?' +
    raw`)\s+(?<day>\d{1,2})${ordinalEnd}?` +
    raw`(?![\p{L}\p{N}:]|\.\d|\s?[/–-]|\s(?:to|until|through)\s)`,
  'iu',
);

/** «friday the 27th», without a month behind it. */
export const weekdayAndDay = new RegExp(
  `${wordStart}(?:(?:on|by) )?` +
    `(?<weekday>${shortWeekdays})(?:s|r|rs|(?:s|nes|rs|ur)?day)?,? ` +
    raw`(?:the )?(?<day>\d{1,2})${ordinalEnd}(?![\p{L}\p{N}]|,? (?:of|${shortMonths}))`,
  'giu',
);

/** «at 5» could be morning or evening, «tonight at 9» says which. */
export const bareHour = new RegExp(
  raw`(?<!(?:morning|afternoon|evening|tonight)\s)` +
    raw`(?:\bat|(?<=\s)@)\s+(?<hour>0?\d|1[0-2])(?!\d|${minutes}|\s*[ap]\.?m)`,
  'giu',
);

/**
 * «on the 1st», «1st of every month», where no word follows that it could belong to: «on the 2nd floor» is a
 * place. Behind «every month» a word may follow that is no weekday and no month.
 */
export const dayOfMonth = new RegExp(
  `${wordStart}(?:` +
    '(?:on|by) (?:the )?|' +
    raw`(?:the )?(?=\d{1,2}${ordinalEnd} of every month)|` +
    `(?<=${wordStart}every!? (?:the )?)` +
    raw`)(?<day>\d{1,2})${ordinalEnd}(?: of(?: the month)?)?(?=` +
    raw`\s*(?:$|[^\s\p{L}]|every\s|at\s\d)|` +
    raw`(?<=${everyMonth} on (?:the )?\d+\p{L}+)\s(?!of|week|${shortWeekdays}|${shortMonths}))`,
  'giu',
);

/** «every month on 5»: without «st» and «th» behind a month alone. */
export const numberOfMonth = new RegExp(
  `(?<=${wordStart}${everyMonth} )` +
    raw`on (?:the )?(?<day>[12]?\d|3[01])(?=\s*(?:$|[^\s\p{L}\p{N}:./–-])|\s+at\s)`,
  'giu',
);

/** «every last day of the month», «the last day of every month», «every month on the last day». */
export const lastOfMonth = new RegExp(
  `${wordStart}(?:(?:on )?(?:the )?last day of(?= (?:every|each) month)|` +
    '(?<=(?:every!?|each|months?|monthly) )(?:on )?(?:the )?last day(?: of the month)?)' +
    wordEnd,
  'giu',
);

/** Names of days that have a weekday in them: what a task is about. */
export const namedDay = new RegExp(
  `${wordStart}(?:(?:good|black) fri|(?:easter|whit|cyber) mon|(?:shrove|fat|super|giving) tues|ash wednes|` +
    `(?:maundy|holy) thurs|holy satur|(?:easter|palm|whit|super bowl) sun)day${wordEnd}`,
  'giu',
);

/** «mon wed fri»: which of them is meant, or all, cannot be told. */
export const severalDays = new RegExp(
  raw`${wordStart}(?:${weekday}(?:\s*[,/&]\s*|\s+(?:(?:and|or)\s+)?)){1,6}${weekday}${wordEnd}`,
  'giu',
);

export const everyPattern = new RegExp(
  raw`${wordStart}(?:(?:every|each)(?<completion>!)?\s+` +
    raw`(?:(?<count>\d{1,3}|other|two|second|2nd|three|third|3rd|four|six)\s+)?|` +
    'on (?=(?:mon|tues|wednes|thurs|fri|satur|sun)days))',
  'giu',
);

/** «every first Monday of the month», «the last Friday of every month», «monthly on the 2nd Tuesday». */
export const weekOfMonthPattern = new RegExp(
  `${wordStart}(?<before>(?:every|each|(?:(?:every month|monthly) )?(?:on )?the) )?` +
    '(?<week>first|1st|second|2nd|third|3rd|fourth|4th|last) ' +
    `(?<day>${weekday})(?<after> of (?:every|each|the) month)?${wordEnd}`,
  'giu',
);

/** Sticky: « evening», « evening at 7» right behind what was read. */
export const dayPartPattern = new RegExp(
  raw`\s+(?<part>morning|afternoon|evening|night)` +
    raw`(?:\s+at\s+(?<hour>\d|1[01])(?:[:.](?<minute>[0-5]\d))?${noHourBehind})?${wordEnd}`,
  'iuy',
);

/** «24 Dec», «Dec 24th», of every year. */
export const dayAndMonth = new RegExp(
  raw`^(?:(?:the )?\d{1,2}${ordinalEnd}?(?: of)? (?!the )\p{L}{3}|` +
    raw`(?!next|this|coming|within)\p{L}{3,} \d{1,2}${ordinalEnd}?(?![\d:]))`,
  'iu',
);

export const nounBehind = new RegExp(
  raw`^\s+(?!(?:and|or|but|at|in|on|for|with|from|to|by|before|after|during|until|till|if|when|while)` +
    raw`(?!\p{L}))\p{L}`,
  'iu',
);

/** «the deadline tomorrow» is what a task is about. */
export const deadlineStart = new RegExp(
  raw`(?<=^|[\s(])(?:!(?=[\p{L}\p{N}])|` +
    raw`(?<!${wordStart}(?:an?|the|this|that|my|our|your|his|her|its|their)\s)deadline:?\s+)`,
  'giu',
);

/** «, at 9:00 until », « evening until ». */
export const untilStart = new RegExp(
  raw`^(?<time>,?\s+(?:(?:at|@)\s+\d{1,2}|` +
    raw`(?:(?:at|@)\s+)?(?:\d{1,2}${minutes}|\d{1,2}(?:${minutes})?${meridiem}|noon)|` +
    raw`(?:morning|afternoon|evening|night)(?:\s+at\s+[\d:.]+)?))?,?\s+(?=(?:until|till)\s)`,
  'iu',
);

/** «for 2 weeks». */
export const lengthPattern = new RegExp(
  raw`${wordStart}for (?<count>\d{1,3}|an?|one|two|three|four|five|six) ` +
    `(?<unit>day|week|month|year)s?${wordEnd}`,
  'giu',
);
