import { Scroller } from "../parts/scroller.tsx";
import { useSpeech } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";
import { toneOf } from "./timeline-tones.ts";

type Entry = NonNullable<ShownEmail["timeline"]>[number];

const laneHeight = 70;
const columnWidth = 130;
const left = 20;
const bend = 10;

/** A mail's way as a picture: a lane for the mail itself and one for each place that it goes to, a column for each step. */
export function TimelinePicture({ timeline }: { timeline: readonly Entry[] }) {
  const { texts, locale } = useSpeech();
  const t = texts.email;
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
  const lanes = ["", ...new Set(timeline.flatMap(({ target }) => (target === null ? [] : [target])))];
  const steps = timeline.map((entry, column) => {
    const lane = lanes.indexOf(entry.target ?? "");
    const said = t.steps[entry.kind] ?? entry.kind.replaceAll("_", " ");
    return { ...entry, said, tone: toneOf(entry.kind), lane, x: left + column * columnWidth, y: laneY(lane) };
  });
  const width = left * 2 + timeline.length * columnWidth;
  const height = lanes.length * laneHeight;
  const sentence = steps
    .map(({ said, target }) => (target === null ? said : `${said}: ${target}`))
    .join(t.stepSeparator);
  return (
    <Scroller name={t.timeline}>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={sentence}>
        {lanes.map((target, lane) => (
          <Lane
            key={target}
            target={target}
            y={laneY(lane)}
            steps={steps.filter((step) => step.lane === lane)}
            width={width}
          />
        ))}
        {steps.map((step) => (
          <g key={`${step.x}`} className={`step step-${step.tone}`}>
            <circle cx={step.x} cy={step.y} r="6" />
            <text x={step.x + 8} y={step.y + 20} className="step-name">
              {step.said}
            </text>
            <text x={step.x + 8} y={step.y + 33} className="step-time">
              {clock.format(new Date(step.at))}
            </text>
          </g>
        ))}
      </svg>
    </Scroller>
  );
}

function laneY(lane: number): number {
  return lane * laneHeight + 24;
}

interface LaneProps {
  target: string;
  y: number;
  width: number;
  steps: readonly { x: number }[];
}

/** A line to the last step so far: the mail's own, or one that branches off where it arrived; its target's name above. */
function Lane({ target, y, steps, width }: LaneProps) {
  const to = steps.at(-1)?.x ?? left;
  const branch = `M${left} ${laneY(0)}V${y - bend}q0 ${bend} ${bend} ${bend}H${to}`;
  return (
    <g className="lane">
      <line x1={left} x2={width - left} y1={y} y2={y} className="lane-rail" />
      <path d={target === "" ? `M${left} ${y}H${to}` : branch} className="lane-way" />
      {target !== "" && (
        <text x={left + 12} y={y - 9} className="lane-name">
          {target}
        </text>
      )}
    </g>
  );
}
