"""N news items as JSON lines, from the AG News test set again and again, each with an id and a text of its own.

    python3 repeat.py AG_NEWS_TEST.csv N > FILE
"""
import csv, json, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
names = ["World", "Sports", "Business", "Sci/Tech"]
for at in range(int(sys.argv[2])):
    label, title, description = rows[at % len(rows)]
    print(json.dumps({"id": str(at), "text": f"{title} {description} {at}", "label": names[int(label) - 1]}))
