// The pace of a run, and its time left.

export const lasting = (seconds) => seconds < 90 ? `${Math.round(seconds)} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min`
  : seconds < 172800 ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / 86400)} days`;

// The state of the run, as far as its files tell.
export function pace(news) {
  if (news.isFinished) return ["State", "finished"];
  if (news.isEnded) return ["State", "ended early"];
  if (news.generation === null || !news.perMinute) return ["Time left", "not known yet"];
  const expected = 60 / news.perMinute;
  if (Math.min(news.idle, news.working) > Math.max(120, 20 * expected)) return ["State", news.isUsed ? "stopped, or very slow" : "ended early"];
  return ["Time left", `about ${lasting((news.of - news.generation) * expected)}`];
}
